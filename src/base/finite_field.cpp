#include "base/finite_field.hpp"

#include "base/assert.hpp"

namespace banyan::base {

std::optional<PrimePower> as_prime_power(u32 number) {
  if (number < 2) return std::nullopt;
  u32 prime = 2;
  while (prime <= number / prime && number % prime != 0) ++prime;
  if (number % prime != 0) prime = number;
  PrimePower out{prime, 0};
  for (; number % prime == 0; number /= prime) ++out.exponent;
  return number == 1 ? std::optional(out) : std::nullopt;
}

FiniteField::FiniteField(u32 order) : order_(order) {
  const auto found = as_prime_power(order);
  BANYAN_ASSERT(found && order <= 1u << 16, "the order of a field is a prime power of at most 2^16");
  prime_ = found->prime;
  // Some generator exists: in a prime field a number, else the root of a primitive polynomial.
  for (u32 candidate = 1; !generate(candidate); ++candidate)
    BANYAN_ASSERT(candidate < order, "a field has a generator");
}

u32 FiniteField::add(u32 a, u32 b) const {
  if (prime_ == order_) return (a + b) % order_;
  if (prime_ == 2) return a ^ b;
  u32 out = 0;
  for (u32 place = 1; place < order_; place *= prime_, a /= prime_, b /= prime_)
    out += (a % prime_ + b % prime_) % prime_ * place;
  return out;
}

u32 FiniteField::negative(u32 a) const {
  if (prime_ == order_) return (order_ - a) % order_;
  u32 out = 0;
  for (u32 place = 1; place < order_; place *= prime_, a /= prime_)
    out += (prime_ - a % prime_) % prime_ * place;
  return out;
}

// Fills the tables with the powers of a candidate: of the number itself in a prime field, else of x modulo
// the polynomial x^m - candidate, whose lower coefficients are the candidate's digits. Returns whether all
// elements but 0 are among them.
bool FiniteField::generate(u32 candidate) {
  power_.assign(order_ - 1, 0);
  log_.assign(order_, order_);
  const auto times = [&](u32 element, u32 digit) {
    u32 out = 0;
    for (u32 i = 0; i < digit; ++i) out = add(out, element);
    return out;
  };
  u32 element = 1;
  for (u32 i = 0; i + 1 < order_; ++i) {
    if (element == 0 || log_[element] != order_) return false;
    power_[i] = element;
    log_[element] = i;
    if (prime_ == order_) {
      element = static_cast<u32>(u64{element} * candidate % order_);
    } else {
      const u32 top = order_ / prime_;  // the place of x^(m-1)
      element = add(element % top * prime_, times(candidate, element / top));
    }
  }
  return element == 1;
}

}  // namespace banyan::base
