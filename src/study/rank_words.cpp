#include "study/rank_words.hpp"

namespace banyan::study {

void pack_rows(Packer& out, const Rows& found) {
  out << u64{found.rows.size()};
  for (const Row& row : found.rows) out << row.metric << row.value << row.unit << row.half_width;
  out << u64{found.texts.size()};
  for (const auto& [name, text] : found.texts) out << name << text;
}

Rows unpack_rows(Unpacker& in) {
  Rows out;
  for (u64 rows = in.number(); rows > 0; --rows) {
    std::string metric = in.text();
    const double value = in.real();
    std::string unit = in.text();
    out.add(std::move(metric), value, std::move(unit), in.real());
  }
  for (u64 texts = in.number(); texts > 0; --texts) {
    std::string name = in.text();
    out.texts.emplace_back(std::move(name), in.text());
  }
  return out;
}

}  // namespace banyan::study
