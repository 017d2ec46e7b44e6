#pragma once
#include <string_view>

namespace banyan::study {
std::string_view study_text(std::string_view name);  // studies/NAME.toml, which is part of the program
}
