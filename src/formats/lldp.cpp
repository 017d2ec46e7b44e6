// What LLDP told the systems of a fabric: `lldpcli show neighbors -f json0` (or json) of each. One file has
// the documents of all, or a folder a file for each, called like its system. A document belongs to the system
// that `lldpcli show chassis -f json0` before it names, or that is its key, or else that its file is called
// after.
//
// Each cable is seen once or twice; two systems that say different things of one cable are refused. Names
// that differ only in their domain are one system. A neighbour that sent no document is kept if it is a host,
// or if there is only one document; switches that are only seen, such as those of the management network, are
// no part of the fabric, and neither is a system that sees nobody and that nobody sees.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "base/file.hpp"
#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/lldp.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

// A neighbour, as one system sees it.
struct Sighting {
  std::string here, port;            // the system that sees, and its interface
  std::string there, there_id;       // the neighbour, and what it calls its chassis
  std::vector<std::string> ports{};  // what it says of its port: identifier and description, best first
  bool is_ifname = false;            // the identifier is the name of the interface, by its type
  bool is_bridge = false, is_router = false, has_capabilities = false;
  u64 line = 0;   // in the file that is the fabric; of a folder 0
  Place place{};  // where it was read
  bool names(const std::string& of) const { return std::find(ports.begin(), ports.end(), of) != ports.end(); }
};

class LldpReader {
 public:
  explicit LldpReader(const std::string& name) : ask_(name), raw_(name) {}

  void read(std::istream& in, const std::string& file) {
    ask_ = TreeReader(file);
    file_ = file;
    announced_.clear();
    unnamed_ = 0;
    const auto documents = read_trees(in, file);
    if (documents.empty())
      throw InputError(Place{file},
                       "found nothing, expected what lldpcli show neighbors -f json0 says: was the system "
                       "reached? Without "
                       "the file, the fabric is read without the system");
    for (const Tree& document : documents) read_document(document);
  }

  FabricFile run() && {
    if (documents_.empty())
      throw InputError(Place{raw_.file},
                       "found no \"lldp\", expected what lldpcli show neighbors -f json0 says");
    settle_names();
    std::string left_out = leave_out_strangers();
    if (const std::string alone = leave_out_alone(); !alone.empty())
      left_out += (left_out.empty() ? "" : "; ") + alone;
    settle_kinds();
    connect();
    split_labelled_ports(raw_);
    FabricFile out = to_fabric(std::move(raw_));
    out.topology.remark = left_out;
    return out;
  }

 private:
  void read_document(const Tree& document);
  void read_neighbours(const Tree& lldp, std::string here);
  void read_interface(const Tree& interface, const std::string& here, const std::string& name);
  void settle_names();
  std::string leave_out_strangers();
  std::string leave_out_alone();
  void settle_kinds();
  void connect();
  bool contradicts(const Sighting& s, const Sighting& other) const;
  u32 other_end(u32 i, const std::vector<u32>& others, bool is_only) const;
  [[noreturn]] static void refuse(const Sighting& s, const Sighting& other) {
    const auto seen = [](const Sighting& by) {
      return fmt::format("{}:{} - {}:{}", by.here, by.port, by.there, fmt::join(by.ports, " or "));
    };
    throw InputError(
        s.place, fmt::format("found {}, but {}:{} says {}; expected both ends of a cable to agree", seen(s),
                             other.place.file, other.place.line, seen(other)));
  }

  // json0 has a list with one member where json has the member; texts are {"value": text} or the text.
  const Tree* first(const Tree* tree) const {
    if (tree && tree->is_list()) return tree->items.empty() ? nullptr : &tree->items[0];
    return tree;
  }
  std::string value(const Tree* tree) const {
    tree = first(tree);
    if (tree && tree->is_map()) tree = first(tree->find("value"));
    return tree && tree->is_text() ? std::string(trim(tree->text)) : "";
  }
  void read_capabilities(const Tree* list, Sighting& out) const;
  std::string own_name(const Tree& document) const;

  TreeReader ask_;
  RawFabric raw_;
  std::string file_;       // that is being read
  u32 unnamed_ = 0;        // documents in it that nothing names
  std::string announced_;  // by `show chassis`, for the next document
  std::vector<Sighting> sightings_;
  std::set<std::pair<std::string, std::string>> interfaces_;  // systems and their interfaces with a neighbour
  std::vector<bool> done_;                                    // sightings that are cables already
  std::map<std::string, u64> documents_;                      // systems that sent one, with its line
};

std::string LldpReader::own_name(const Tree& document) const {
  const Tree* chassis = first(document.find("local-chassis"));
  chassis = chassis ? first(chassis->find("chassis")) : nullptr;
  if (!chassis) return "";
  if (const Tree* name = chassis->find("name")) return value(name);
  return chassis->keys.empty() ? "" : chassis->keys[0];  // json: {"leaf1": {...}}
}

void LldpReader::read_document(const Tree& document) {
  ask_.map(document, "what lldpcli says in JSON");
  if (const std::string name = own_name(document); !name.empty()) announced_ = name;
  if (const Tree* lldp = document.find("lldp")) return read_neighbours(*lldp, std::exchange(announced_, ""));
  if (document.find("local-chassis")) return;
  for (std::size_t i = 0; i < document.keys.size(); ++i) {  // {"leaf1": {"lldp": ...}}
    const Tree* lldp = ask_.map(document.items[i], "a document of lldpcli").find("lldp");
    if (!lldp)
      ask_.fail(document.items[i], "found no \"lldp\", expected what lldpcli show neighbors -f json0 says");
    read_neighbours(*lldp, document.keys[i]);
  }
}

void LldpReader::read_neighbours(const Tree& lldp, std::string here) {
  if (here.empty() && unnamed_++ == 0) {
    here = std::filesystem::path(file_).filename().string();
    for (std::string_view ending : {".json", ".json0", ".txt", ".lldp"})
      if (here.size() > ending.size() && here.ends_with(ending)) here.resize(here.size() - ending.size());
  }
  if (here.empty())
    ask_.fail(
        lldp,
        "found no name of the system that this is of, expected {\"NAME\": {\"lldp\": ...}}, or what lldpcli "
        "show chassis -f json0 says before it");
  if (!documents_.emplace(here, file_ == raw_.file ? lldp.line : 0).second)
    ask_.fail(lldp, fmt::format("found a second document of {}, expected one", shown(here)));
  const Tree* body = first(&lldp);
  const Tree* interfaces = body && body->is_map() ? body->find("interface") : nullptr;
  if (!interfaces) return;  // no neighbours
  if (!interfaces->is_list()) return read_interface(*interfaces, here, "");
  for (const Tree& interface : interfaces->items) read_interface(interface, here, "");
}

void LldpReader::read_capabilities(const Tree* list, Sighting& out) const {
  if (!list) return;
  const auto read = [&](const Tree& capability) {
    const bool is_on = value(capability.find("enabled")) == "true";
    const std::string type = value(capability.find("type"));
    out.has_capabilities = true;
    out.is_bridge = out.is_bridge || (is_on && type == "Bridge");
    out.is_router = out.is_router || (is_on && type == "Router");
  };
  if (!list->is_list()) return read(*list);
  for (const Tree& capability : list->items) read(capability);
}

void LldpReader::read_interface(const Tree& interface, const std::string& here, const std::string& name) {
  ask_.map(interface, "an interface");
  const Tree *chassis = first(interface.find("chassis")), *port = first(interface.find("port"));
  if (!chassis && !port && name.empty()) {  // json: {"swp1": {...}}
    for (std::size_t i = 0; i < interface.keys.size(); ++i)
      read_interface(interface.items[i], here, interface.keys[i]);
    return;
  }
  if (const std::string via = value(interface.find("via")); !via.empty() && via != "LLDP") return;
  Sighting out;
  out.here = here;
  out.line = file_ == raw_.file ? interface.line : 0;
  out.place = {file_, interface.line};
  out.port = name.empty() ? value(interface.find("name")) : name;
  if (out.port.empty()) ask_.fail(interface, "found no \"name\" of an interface, expected one");
  if (!chassis || !chassis->is_map() || !port || !port->is_map())
    ask_.fail(interface, "found an interface without \"chassis\" and \"port\", expected a neighbour");
  if (!chassis->find("id") && chassis->keys.size() == 1) {
    out.there = chassis->keys[0];
    chassis = &ask_.map(chassis->items[0], "a chassis");
  }
  if (const Tree* said = chassis->find("name")) out.there = value(said);
  out.there_id = value(chassis->find("id"));
  if (out.there.empty()) out.there = out.there_id;
  if (out.there.empty()) ask_.fail(*chassis, "found a neighbour without name and id, expected one of them");
  const Tree* id = first(port->find("id"));
  const bool by_name = id && id->is_map() && value(id->find("type")) == "ifname";
  out.is_ifname = by_name;
  for (const std::string& text :
       {by_name ? value(id) : value(port->find("descr")), by_name ? value(port->find("descr")) : value(id)})
    if (!text.empty()) out.ports.push_back(text);
  if (out.ports.empty()) ask_.fail(*port, "found a port without \"id\", expected one");
  read_capabilities(chassis->find("capability"), out);
  sightings_.push_back(std::move(out));
}

// leaf1 and leaf1.example.com are one; host.a and host.b are two.
void LldpReader::settle_names() {
  const auto stem = [](const std::string& name) {
    const bool is_address = name.find_first_not_of("0123456789.:abcdefABCDEF") == name.npos;
    return is_address ? name : name.substr(0, name.find('.'));
  };
  std::map<std::string, std::set<std::string>> full;  // by stem: the names with a domain
  const auto note = [&](const std::string& name) {
    auto& domains = full[stem(name)];
    if (stem(name) != name) domains.insert(name);
  };
  for (const auto& [name, line] : documents_) note(name);
  for (const Sighting& s : sightings_) note(s.there);
  const auto settle = [&](std::string& name) {
    if (full[stem(name)].size() < 2) name = stem(name);
  };
  std::map<std::string, u64> documents;
  for (const auto& [said, line] : documents_) {
    std::string name = said;
    settle(name);
    if (!documents.emplace(name, line).second)
      raw_.fail(line, fmt::format("found a second document of {}, expected one", shown(name)));
  }
  documents_ = std::move(documents);
  for (Sighting& s : sightings_) settle(s.here), settle(s.there);
}

// What was left out, in words.
std::string LldpReader::leave_out_strangers() {
  std::set<std::string> strangers;
  if (documents_.size() > 1)
    for (const Sighting& s : sightings_)
      if (!documents_.contains(s.there) && (s.is_bridge || s.is_router)) strangers.insert(s.there);
  std::erase_if(sightings_, [&](const Sighting& s) { return strangers.contains(s.there); });
  if (strangers.empty()) return "";
  return fmt::format("{} left out: {} seen, but sent no document of {} own", fmt::join(strangers, ", "),
                     strangers.size() == 1 ? "it was" : "they were", strangers.size() == 1 ? "its" : "their");
}

// What nothing is known of, in words.
std::string LldpReader::leave_out_alone() {
  std::set<std::string> alone;
  for (const auto& [name, line] : documents_) alone.insert(name);
  for (const Sighting& s : sightings_) alone.erase(s.here), alone.erase(s.there);
  if (alone.size() == documents_.size()) return "";  // a fabric without cables is refused as such
  for (const std::string& name : alone) documents_.erase(name);
  if (alone.empty()) return "";
  return fmt::format("{} left out: {} nobody of the fabric, and nobody sees {}", fmt::join(alone, ", "),
                     alone.size() == 1 ? "it sees" : "they see", alone.size() == 1 ? "it" : "them");
}

// Bridges are switches, and stations hosts. Of a router that is no bridge, labels of ports and the number of
// cables decide.
void LldpReader::settle_kinds() {
  for (const auto& [name, line] : documents_) raw_.nodes[raw_.mention(name, line)].defined = true;
  for (const Sighting& s : sightings_) {
    RawNode& node = raw_.nodes[raw_.mention(s.there, s.line)];
    node.defined = true;
    if (s.is_bridge)
      node.kind = RawNode::Kind::switch_;
    else if (s.has_capabilities && !s.is_router && node.kind == RawNode::Kind::unknown)
      node.kind = RawNode::Kind::nic;
  }
}

// Whether the other names another interface than that which sees it. What is neither the name of an interface
// by its type nor that of one that is known may be an address or a remark: it contradicts nothing.
bool LldpReader::contradicts(const Sighting& s, const Sighting& other) const {
  return !other.names(s.port) &&
         (other.is_ifname ||
          std::any_of(other.ports.begin(), other.ports.end(), [&](const std::string& port) {
            return interfaces_.contains({s.here, port});
          }));
}

// Of `others`, the sighting of the same cable from its other end: both systems name the other's interface, or
// one does and the other does not contradict it. The sighting itself if there is none.
u32 LldpReader::other_end(u32 i, const std::vector<u32>& others, bool is_only) const {
  const Sighting& s = sightings_[i];
  for (const u32 j : others)
    if (j != i && !done_[j] && s.names(sightings_[j].port) && sightings_[j].names(s.port)) return j;
  for (const u32 j : others) {
    const Sighting& other = sightings_[j];
    if (j == i || done_[j]) continue;
    const bool is_named = s.names(other.port) || other.names(s.port);
    const bool is_contrary = contradicts(s, other) || contradicts(other, s);
    if (is_named && is_contrary) refuse(s, other);
    if (is_named || (is_only && !is_contrary)) return j;
  }
  return i;
}

// The interface of a system that sent a document is called as the document has it.
void LldpReader::connect() {
  std::map<std::pair<std::string, std::string>, std::vector<u32>> between;
  for (u32 i = 0; i < sightings_.size(); ++i) {
    between[{sightings_[i].here, sightings_[i].there}].push_back(i);
    interfaces_.emplace(sightings_[i].here, sightings_[i].port);
  }
  done_.assign(sightings_.size(), false);
  for (u32 i = 0; i < sightings_.size(); ++i) {
    if (done_[i]) continue;
    const Sighting& s = sightings_[i];
    const std::vector<u32>& others = between[{s.there, s.here}];
    const u32 other = other_end(i, others, others.size() == 1 && between[{s.here, s.there}].size() == 1);
    const std::string far = other == i ? s.ports[0] : sightings_[other].port;
    done_[i] = done_[other] = true;
    raw_.cables.push_back({raw_.end(raw_.mention(s.here, s.line), s.port, s.line),
                           raw_.end(raw_.mention(s.there, s.line), far, s.line), std::nullopt, 1, s.line});
  }
}

}  // namespace

FabricFile read_lldp_folder(const std::string& path) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (const std::string name = entry.path().filename().string();
        entry.is_regular_file() && !name.starts_with('.') && !name.ends_with('~'))
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end(), natural_less);
  if (files.empty())
    throw InputError(
        Place{path},
        "is a folder without files, expected a file, or a folder with what lldpcli show neighbors -f "
        "json0 says: a file for each system");
  LldpReader reader(path);
  for (const std::string& file : files) {
    std::ifstream in = open_input(file);
    try {
      reader.read(in, file);
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{} ({} is a folder, and of a folder all files are read as what lldpcli says)",
                      error.what(), path));
    }
  }
  return std::move(reader).run();
}

Format lldp_format() {
  return {"lldp",
          {".lldp"},
          "neighbours as lldpcli show neighbors -f json0 lists them",
          [](std::string_view head) {
            const std::string_view text = trim(head);
            return text.starts_with('{') &&
                   (text.find("\"lldp\"") < 2000 || text.find("\"local-chassis\"") < 100);
          },
          [](std::istream& in, const std::string& file) {
            LldpReader reader(file);
            reader.read(in, file);
            return std::move(reader).run();
          },
          nullptr};
}

}  // namespace banyan::formats
