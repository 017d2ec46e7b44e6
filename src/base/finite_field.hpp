// FiniteField: GF(q) for any prime power q, by tables of logarithms. Graphs of low diameter are made over it.
//
// Elements are numbers from 0 to q - 1: the digits of a number to the base p are the coefficients of a
// polynomial over the prime field, so 0 and 1 are zero and one, and elements of a prime field are themselves.
#pragma once
#include <optional>
#include <vector>

#include "base/types.hpp"

namespace banyan::base {

struct PrimePower {
  u32 prime, exponent;
};
std::optional<PrimePower> as_prime_power(u32 number);  // nothing for 0, 1 and numbers with several primes

class FiniteField {
 public:
  // `order` must be a prime power of at most 2^16.
  explicit FiniteField(u32 order);

  u32 order() const { return order_; }
  u32 add(u32 a, u32 b) const;
  u32 negative(u32 a) const;
  u32 subtract(u32 a, u32 b) const { return add(a, negative(b)); }
  u32 multiply(u32 a, u32 b) const {
    return a == 0 || b == 0 ? 0 : power_[(log_[a] + log_[b]) % (order_ - 1)];
  }
  u32 inverse(u32 a) const { return power_[(order_ - 1 - log_[a]) % (order_ - 1)]; }  // of any but 0
  // The i-th power of one fixed element of which every element but 0 is a power.
  u32 power(u32 i) const { return power_[i % (order_ - 1)]; }

 private:
  bool generate(u32 polynomial);

  u32 order_, prime_;
  std::vector<u32> power_, log_;  // by exponent; by element
};

}  // namespace banyan::base
