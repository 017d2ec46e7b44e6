// Studies that are part of the program, such as the quickstart: files of studies/, embedded by CMake.
#pragma once
#include <string_view>

namespace banyan::study {
std::string_view study_text(
    std::string_view name);  // the text of studies/NAME.toml; throws where there is none
}
