// Programs by name: a file, whose ending gives the format, or what Banyan itself makes programs of.
#pragma once
#include <string>

#include "traffic/programs/program.hpp"

namespace banyan::traffic {

// A collective of several ranks a host for which no algorithm is named: the one that knows hosts, where there
// is one.
std::string with_hosts_known(const std::string& traffic, u32 processes);

// By its ending; a .json by what it holds, as fabrics have that ending too.
bool is_program_file(const std::string& path);
// Throws InputError if the text is a file of a program, where a fabric is expected.
void refuse_program(const std::string& text);
// Something that open_program() makes, or a file as above.
bool is_program(const std::string& text);

// FILE.goal, FILE.et, FILE.json, or FILE.et for the files FILE.0.et, FILE.1.et ... of single ranks;
// step:OPTIONS (a step of training); application:NAME,size=N; or a collective such as
// allreduce:bytes=1MiB. What is not a file needs the number of ranks; `processes` of them share a host.
// Throws InputError.
Program open_program(const std::string& text, u32 ranks = 0, u32 processes = 1);

// `format` is goal, et or json; where it is empty, the ending of the path gives it. - is standard output.
// Throws InputError.
void write_program(const std::string& path, const Program& program, const std::string& format = "");

}  // namespace banyan::traffic
