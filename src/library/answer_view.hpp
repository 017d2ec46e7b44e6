// An answer whose type is no longer known: its listed fields by name, for languages other than C++. A view
// keeps its answer alive; so do the arrays that it gives, which are those of the answer and not copies.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ask/answer.hpp"
#include "base/number_or_text.hpp"

namespace banyan::library {

using namespace ask;

struct Value;

// Numbers in a row, of one of these types. `owner` keeps them where they are.
struct Numbers {
  std::variant<std::span<const double>, std::span<const u64>, std::span<const u32>, std::span<const u8>>
      data{};
  std::shared_ptr<const void> owner{};
};

class AnswerView {
 public:
  AnswerView() = default;
  template <ask::Answer A>
  explicit AnswerView(std::shared_ptr<const A> answer);
  template <ask::Answer A>
  static AnswerView of(A answer) {
    return AnswerView(std::make_shared<const A>(std::move(answer)));
  }

  // The fields that are there, in their order. An interval is two fields.
  using Visit = std::function<void(std::string_view name, Value value)>;
  void each(const Visit& visit) const { type_->each(held_, {}, visit); }
  // Nothing: there is no such field, or it was not asked for.
  std::optional<Value> find(std::string_view name) const;
  const std::vector<FieldInfo>& infos() const { return type_->infos(); }  // those that there may be
  std::string_view name() const { return type_->name; }                   // of its type: LoadAnswer
  std::string json() const;                                               // as the program prints it

 private:
  struct Type {
    std::string name;
    // Only the field `name`, unless that is empty.
    void (*each)(const std::shared_ptr<const void>&, std::string_view name, const Visit&);
    const std::vector<FieldInfo>& (*infos)();
    void (*write)(const void*, JsonWriter&);
  };
  template <class A>
  static const Type type_of;

  std::shared_ptr<const void> held_{};
  const Type* type_ = nullptr;
};

// What a field holds. Nothing: it is not known, null in JSON.
struct Value {
  std::variant<std::monostate, bool, u64, double, std::string, Numbers, std::vector<Value>, AnswerView>
      content{};
};

// The name of an answer's type without its namespaces: RoundAnswer::Hot is RoundAnswerHot.
std::string short_type_name(std::string_view pretty);
template <class A>
std::string answer_name() {
  return short_type_name(__PRETTY_FUNCTION__);
}

// Throws InputError, with the nearest known name or with why it is not there.
[[noreturn]] void refuse_field(const AnswerView& answer, std::string_view name);  // throws InputError

// --- how a field becomes a value
template <class T>
constexpr bool is_number_row =
    std::is_same_v<T, double> || std::is_same_v<T, u64> || std::is_same_v<T, u32> || std::is_same_v<T, u8>;

// Makes values from the members of an answer that `held` keeps.
template <class A>
class ValueMaker {
 public:
  explicit ValueMaker(const std::shared_ptr<const void>& held) : held_(held) {}

  template <class T>
  Value operator()(const T& value) const {
    if constexpr (std::is_same_v<T, bool>) {
      return {value};
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isfinite(value) ? Value{static_cast<double>(value)} : Value{};
    } else if constexpr (std::is_integral_v<T>) {
      return {static_cast<u64>(value)};
    } else if constexpr (NamedChoice<T> || Quantity<T> || std::is_same_v<T, FilePath>) {
      return {option_text(value)};
    } else if constexpr (std::is_same_v<T, NumberOrText>) {
      return value.text.empty() ? Value{value.number} : Value{value.text};
    } else if constexpr (DenseId<T>) {
      return value == none<T> ? Value{} : Value{u64{index(value)}};
    } else if constexpr (is_or_null<T>) {
      return value.value ? (*this)(*value.value) : Value{};
    } else if constexpr (ask::Answer<T>) {
      return {is_part(&value) ? AnswerView(std::shared_ptr<const T>(held_, &value)) : AnswerView::of(value)};
    } else if constexpr (is_vector<T>) {
      return row(value);
    } else {
      return {std::string(value)};
    }
  }

 private:
  template <class T>
  Value row(const std::vector<T>& values) const {
    if constexpr (is_number_row<T>) {
      if (is_part(&values)) return {Numbers{std::span<const T>(values), held_}};
      const auto copy = std::make_shared<const std::vector<T>>(values);
      return {Numbers{std::span<const T>(*copy), copy}};
    } else if constexpr (ask::Answer<T>) {
      return table(values);
    } else {
      std::vector<Value> out;
      for (const auto& value : values) out.push_back(within(values, static_cast<const T&>(value)));
      return {std::move(out)};
    }
  }

  // A row of a matrix stays where it is if the matrix does.
  template <class T>
  Value within(const std::vector<T>& values, const T& value) const {
    if constexpr (is_vector<T>)
      if constexpr (is_number_row<typename T::value_type>)
        if (is_part(&values)) return {Numbers{std::span<const typename T::value_type>(value), held_}};
    return (*this)(value);
  }

  template <class T>
  Value table(const std::vector<T>& values) const {
    std::vector<Value> out;
    const auto kept = is_part(&values) ? held_ : std::shared_ptr<const void>{};
    for (const T& value : values)
      out.push_back({kept ? AnswerView(std::shared_ptr<const T>(kept, &value)) : AnswerView::of(value)});
    return {std::move(out)};
  }

  // A member of the answer, not something that its list of fields made for this call.
  bool is_part(const void* member) const {
    const auto *first = static_cast<const std::byte*>(held_.get()),
               *p = static_cast<const std::byte*>(member);
    return std::less_equal<>()(first, p) && std::less<>()(p, first + sizeof(A));
  }

  const std::shared_ptr<const void>& held_;
};

template <class A>
struct FieldValues {
  ValueMaker<A> make;
  std::string_view wanted;
  const AnswerView::Visit& visit;

  template <class T>
  void operator()(std::string_view name, const T& value, std::string_view, std::string_view) const {
    if constexpr (ask::is_optional<T>) {
      if (value) (*this)(name, *value, "", "");
    } else if constexpr (std::is_same_v<T, Interval>) {
      (*this)(name, value.mean, "", "");
      if (wanted.empty() || wanted.ends_with("_half_width"))
        (*this)(std::string(name) + "_half_width", value.half_width, "", "");
    } else {
      if (wanted.empty() || wanted == name) visit(name, make(value));
    }
  }
};

template <class A>
const AnswerView::Type AnswerView::type_of = {
    answer_name<A>(),
    [](const std::shared_ptr<const void>& held, std::string_view name, const Visit& visit) {
      A::fields(*static_cast<const A*>(held.get()), FieldValues<A>{ValueMaker<A>(held), name, visit});
    },
    []() -> const std::vector<FieldInfo>& {
      static const std::vector<FieldInfo> all = fields_of<A>();
      return all;
    },
    [](const void* answer, JsonWriter& json) { write_fields(json, *static_cast<const A*>(answer)); }};

template <ask::Answer A>
AnswerView::AnswerView(std::shared_ptr<const A> answer) : held_(std::move(answer)), type_(&type_of<A>) {}

}  // namespace banyan::library
