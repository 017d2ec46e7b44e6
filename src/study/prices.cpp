#include "study/prices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/text.hpp"
#include "study/study_text.hpp"
#include "study/toml.hpp"

namespace banyan::study {
namespace {

// What is known of all lines of a list, where a line does not say otherwise.
struct ListReader {
  const std::string& file;
  std::string date{}, source{};

  double needed(TomlKeys& keys, std::string_view key) const {
    keys.need(key);
    return keys.number(key, 0);
  }

  Offer offer(TomlKeys& keys, u64 line) const {
    Offer out{{needed(keys, "money"), needed(keys, "watts")}};
    out.date = keys.text("date", date);
    out.source = keys.text("source", source);
    if (!is_date(out.date))
      throw InputError({file, line},
                       fmt::format("date '{}': expected the day of this price, as 2026-01-31", out.date));
    if (out.source.empty())
      throw InputError({file, line}, "a price without a source; expected source = \"who says so\"");
    if (const TomlValue* speed = keys.take("speed")) {
      const auto* text = std::get_if<std::string>(&speed->is);
      const auto found = text ? parse_speed(*text) : std::nullopt;
      if (!found || !(found->value > 0))
        throw InputError(keys.at(*speed), "speed must be one in quotes, such as \"400G\"");
      out.speed = *found;
    }
    return out;
  }

  // YYYY-MM-DD.
  static bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    const auto month = parse_unsigned(text.substr(5, 2)), day = parse_unsigned(text.substr(8, 2));
    return parse_unsigned(text.substr(0, 4)) && month && *month >= 1 && *month <= 12 && day && *day >= 1 &&
           *day <= 31;
  }

  PriceList::Cable cable(TomlKeys& keys, u64 line) const {
    PriceList::Cable out;
    const std::string kind = keys.text("kind", "");
    const auto kinds = option_names(CableKind{});
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end())
      throw InputError({file, line}, fmt::format("[[cables]]: unknown kind '{}'; expected one of {}", kind,
                                                 fmt::join(kinds, ", ")));
    out.kind = static_cast<CableKind>(found - kinds.begin());
    out.up_to = needed(keys, "up_to");
    static_cast<Offer&>(out) = offer(keys, line);
    return out;
  }
};

// f(keys, line) for every table of a list of tables; a single table is a list of one.
template <class F>
void each_table(const TomlValue& value, std::string_view key, const std::string& file, F&& f) {
  const auto read = [&](const TomlValue& item) {
    TomlKeys keys(item, file, fmt::format("[[{}]]", key));
    f(keys, item.line);
    keys.refuse_rest();
  };
  if (value.table()) return read(value);
  if (!value.list() || value.list()->empty())
    throw InputError({file, value.line}, fmt::format("expected tables [[{}]]", key));
  for (const TomlValue& item : *value.list()) read(item);
}

template <class Line, class Key>
void sort_by(std::vector<Line>& lines, Key&& key) {
  std::stable_sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) { return key(a) < key(b); });
}

void sort_lines(PriceList& list) {
  const auto by_speed = [](const Offer& offer) { return offer.speed.value; };
  sort_by(list.nics, by_speed);
  sort_by(list.transceivers, by_speed);
  sort_by(list.switches, [](const auto& s) { return std::pair(s.ports, s.speed.value); });
  sort_by(list.cables, [](const auto& c) { return std::pair(c.up_to, c.speed.value); });
}

}  // namespace

PriceList read_prices(std::string_view text, const std::string& file) {
  const TomlValue root = parse_toml(text, file);
  TomlKeys keys(root, file, "the price list");
  PriceList out;
  out.currency = keys.text("currency", "");
  if (out.currency.empty())
    throw InputError({file, root.line}, "prices without a unit; expected currency = \"EUR\" or another");
  out.placeholder = keys.truth("placeholder", false);
  ListReader reader{file};
  reader.date = keys.text("date", "");
  reader.source = keys.text("source", "");
  each_table(keys.need("nic"), "nic", file,
             [&](TomlKeys& item, u64 line) { out.nics.push_back(reader.offer(item, line)); });
  if (const TomlValue* ends = keys.take("transceiver"))
    each_table(*ends, "transceiver", file,
               [&](TomlKeys& item, u64 line) { out.transceivers.push_back(reader.offer(item, line)); });
  each_table(keys.need("switches"), "switches", file, [&](TomlKeys& item, u64 line) {
    const double ports = item.number("ports", 0);
    if (ports < 1 || ports > 1e6) throw InputError({file, line}, "[[switches]]: ports must be 1 or more");
    out.switches.push_back({reader.offer(item, line), static_cast<u32>(ports)});
  });
  each_table(keys.need("cables"), "cables", file, [&](TomlKeys& item, u64 line) {
    out.cables.push_back(reader.cable(item, line));
    if (out.cables.back().kind == CableKind::transceivers && out.transceivers.empty())
      throw InputError({file, line}, "a cable with transceivers; expected their price, [transceiver]");
  });
  keys.refuse_rest();
  sort_lines(out);
  return out;
}

PriceList open_prices(const std::string& path) {
  if (path.empty()) return read_prices(study_text("prices"), "studies/prices.toml");
  return read_prices(read_file(path), path);
}

}  // namespace banyan::study
