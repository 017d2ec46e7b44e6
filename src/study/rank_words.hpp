// What ranks say to each other over their lines: a word, then what belongs to it.
#pragma once
#include "study/connection.hpp"
#include "study/measure.hpp"

namespace banyan::study {

namespace word {
constexpr u64 study = 1;          // file, text
constexpr u64 point = 2;          // name, inputs; answered by found or failed
constexpr u64 found = 3;          // seconds, rows, texts
constexpr u64 failed = 4;         // why
constexpr u64 are_you_there = 5;  // answered by the same
constexpr u64 over = 6;           // and all ranks are there
constexpr u64 leave = 7;          // over, and some are not
}  // namespace word

void pack_rows(Packer& out, const Rows& found);
Rows unpack_rows(Unpacker& in);

}  // namespace banyan::study
