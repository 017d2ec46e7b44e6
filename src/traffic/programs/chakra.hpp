// Programs as execution traces of MLCommons Chakra: messages of protobuf, each after its length, a
// GlobalMetadata and then Nodes; or the same as JSON. The numbers of the fields are those of Chakra's
// et_def.proto.
//
// Chakra has a file for each rank. Here one file holds all ranks: the attribute `num_ranks` of the metadata
// says how many, the attribute `rank` of a node which. Files of Chakra without them are one rank each:
// read_chakra takes them in the order of ranks.
#pragma once
#include <istream>
#include <ostream>
#include <span>
#include <string>

#include "traffic/programs/program.hpp"

namespace banyan::traffic {

struct ChakraSource {
  std::istream& in;
  std::string file;
};

// Throws InputError with the file and the number of the node, or its line in JSON.
Program read_chakra(std::span<const ChakraSource> sources);
Program read_chakra_json(std::span<const ChakraSource> sources);
void write_chakra(std::ostream& out, const Program& program);
void write_chakra_json(std::ostream& out, const Program& program);

}  // namespace banyan::traffic
