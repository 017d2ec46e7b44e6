# Makes a C++ file of the bundled script and style: cmake -DSCRIPT=a.js -DSTYLE=a.css -DOUT=web.cpp -P embed.cmake
include(${CMAKE_CURRENT_LIST_DIR}/pieces.cmake)
set(text "// Made by web/embed.cmake.\n#include \"report/web.hpp\"\n\nnamespace banyan::report {\nnamespace {\n\n")
foreach(name SCRIPT STYLE)
  file(SHA256 ${${name}} hash_${name})
  string(TOLOWER ${name} array)
  string(APPEND text "constexpr std::string_view ${array}[] = {\n")
  append_pieces(text ${${name}})
  string(APPEND text "};\n")
endforeach()
string(APPEND text "\n}  // namespace\n\nWebText report_script() { return {script, \"${hash_SCRIPT}\"}; }\n"
  "WebText report_style() { return {style, \"${hash_STYLE}\"}; }\n\n}  // namespace banyan::report\n")
file(WRITE ${OUT} "${text}")
