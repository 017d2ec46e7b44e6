// docs/openapi.json, which is part of the program.
#pragma once
#include <string_view>

namespace banyan::serve {
std::string_view openapi_text();
}
