// A text that is read character by character and counts the lines that were read: an input iterator for
// parsers that take two iterators and know nothing about lines. The stream and the count must outlive it.
#pragma once
#include <cstddef>
#include <iterator>
#include <streambuf>
#include <string>

#include "base/types.hpp"

namespace banyan::base {

class CountedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  CountedText() = default;  // the end of every text
  CountedText(std::streambuf* in, u64* line) : in_(in), line_(line) { settle(); }

  char operator*() const { return static_cast<char>(in_->sgetc()); }
  CountedText& operator++() {
    if (in_->sbumpc() == '\n') ++*line_;
    settle();
    return *this;
  }
  bool operator==(const CountedText& other) const { return in_ == other.in_; }

 private:
  void settle() {
    if (in_->sgetc() == std::char_traits<char>::eof()) in_ = nullptr;
  }

  std::streambuf* in_ = nullptr;
  u64* line_ = nullptr;
};

}  // namespace banyan::base
