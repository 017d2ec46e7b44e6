#include "study/prices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.hpp"
#include "study/study_text.hpp"
#include "study/toml.hpp"

namespace banyan::study {
namespace {

Price read_price(TomlKeys& keys) { return {keys.number("money", 0), keys.number("watts", 0)}; }

// f(keys) for every table of a list of tables.
template <class F>
void each_table(TomlKeys& list, std::string_view key, const std::string& file, F&& f) {
  const TomlValue& value = list.need(key);
  if (!value.list() || value.list()->empty())
    throw InputError({file, value.line}, fmt::format("expected tables [[{}]]", key));
  for (const TomlValue& item : *value.list()) {
    TomlKeys keys(item, file, fmt::format("[[{}]]", key));
    f(keys, item.line);
    keys.refuse_rest();
  }
}

}  // namespace

PriceList read_prices(std::string_view text, const std::string& file) {
  const TomlValue root = parse_toml(text, file);
  TomlKeys keys(root, file, "the price list");
  PriceList out;
  out.currency = keys.text("currency", out.currency);
  out.placeholder = keys.truth("placeholder", false);
  if (const TomlValue* nic = keys.take("nic")) {
    TomlKeys of_nic(*nic, file, "[nic]");
    out.nic = read_price(of_nic);
    of_nic.refuse_rest();
  }
  each_table(keys, "switches", file, [&](TomlKeys& item, u64 line) {
    const double ports = item.number("ports", 0);
    if (ports < 1 || ports > 1e6) throw InputError({file, line}, "[[switches]]: ports must be 1 or more");
    out.switches.push_back({static_cast<u32>(ports), read_price(item)});
  });
  each_table(keys, "cables", file, [&](TomlKeys& item, u64 line) {
    const std::string name = item.text("class", "");
    if (name.empty()) throw InputError({file, line}, "[[cables]]: the key 'class' is missing");
    for (const PriceList::Cable& other : out.cables)
      if (other.name == name)
        throw InputError({file, line}, fmt::format("two classes are called '{}'", name));
    const double up_to = item.number("up_to", 0);
    out.cables.push_back({name, up_to, read_price(item)});
  });
  keys.refuse_rest();
  std::stable_sort(out.switches.begin(), out.switches.end(),
                   [](const auto& a, const auto& b) { return a.ports < b.ports; });
  std::stable_sort(out.cables.begin(), out.cables.end(),
                   [](const auto& a, const auto& b) { return a.up_to < b.up_to; });
  return out;
}

PriceList open_prices(const std::string& path) {
  if (path.empty()) return read_prices(study_text("prices"), "studies/prices.toml");
  return read_prices(read_file(path), path);
}

}  // namespace banyan::study
