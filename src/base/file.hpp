// Files. All input files are opened here, so that access can be restricted in one place. Output files are
// written completely or not at all.
#pragma once
#include <fstream>
#include <functional>
#include <string>
#include "base/namespaces.hpp"

namespace banyan::base {

// Opens a file for reading, behind a byte order mark where it begins with one, as spreadsheets write it.
// Throws InputError if it does not exist, is a folder, or may not be read. If the environment variable
// BANYAN_READ_UNDER=FOLDER:FOLDER is set, as the explorer's server does for requests, only files below these
// folders are opened; links and dots in a path cannot leave them.
std::ifstream open_input(const std::string& path);
bool is_reading_restricted();                // whether BANYAN_READ_UNDER is set
bool input_exists(const std::string& path);  // and open_input would open it
std::string read_file(const std::string& path);

// Writes to a temporary file beside the target (base/temporary.hpp), waits until the disk has it and renames
// it. If `write` throws or the disk fails, the target stays as it was. Devices and pipes are written
// directly.
void write_whole(const std::string& path, const std::function<void(std::ostream&)>& write);

// Throws InputError where write_whole() would find no folder, no file's name, or no right to write there: to
// be called before work whose result would be lost.
void check_writable(const std::string& path);

// Creates the folder and its parents. Throws InputError if that fails.
void make_folder(const std::string& path);

}  // namespace banyan::base
