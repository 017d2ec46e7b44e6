// Price lists in files. docs/study.md describes them.
#pragma once
#include <string>
#include <string_view>

#include "size/prices.hpp"

namespace banyan::study {

PriceList read_prices(std::string_view text, const std::string& file);  // throws InputError
PriceList open_prices(const std::string& path);                         // "": the list within the program

}  // namespace banyan::study
