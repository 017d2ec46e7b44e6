#include "traffic/programs/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

#include "traffic/programs/chakra_nodes.hpp"

namespace banyan::traffic {
namespace {

constexpr u64 max_message = u64{1} << 26;  // bytes of one
constexpr u32 max_chakra_ranks = u32{1} << 24;

// The numbers of fields in et_def.proto.
namespace field {
constexpr u32 metadata_version = 1, metadata_attribute = 2;
constexpr u32 id = 1, name = 2, type = 3, control = 4, data = 5, micros = 7, attribute = 10;
constexpr u32 attribute_name = 1, double_value = 3, float_value = 5, int32_value = 7, int64_value = 9,
              uint32_value = 11, uint64_value = 13, uint64_list = 14, sint32_value = 15, sint64_value = 17,
              bool_value = 27, string_value = 29, list_values = 1;
}  // namespace field

// The fields of a message, one after another.
class WireReader {
 public:
  // `fail` gets what is wrong and where it was found.
  using Fail = std::function<void(const std::string& what, const char* where)>;
  WireReader(std::string_view bytes, Fail fail) : bytes_(bytes), fail_(std::move(fail)) {}

  bool next() {
    if (bytes_.empty()) return false;
    begin_ = bytes_.data();
    const u64 key = varint();
    if (key >> 3 == 0 || key >> 3 > max_field)
      fail_(fmt::format("found field {}, expected 1 to {}", key >> 3, max_field), begin_);
    number = static_cast<u32>(key >> 3);
    wire_ = static_cast<u32>(key & 7);
    switch (wire_) {
      case whole:
        value_ = varint();
        break;
      case eight_bytes:
        value_ = fixed(8);
        break;
      case with_length: {
        const u64 size = varint();
        if (size > bytes_.size())
          fail_(fmt::format("a field says that it has {} bytes, and {} are left", size, bytes_.size()),
                begin_);
        text_ = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        break;
      }
      case four_bytes:
        value_ = fixed(4);
        break;
      default:
        fail_(fmt::format("found wire type {}, expected 0, 1, 2 or 5", wire_), begin_);
    }
    return true;
  }

  // What the field holds. Fails where it is of another kind.
  u64 integer() const { return require(whole), value_; }
  u64 bits_of_double() const { return require(eight_bytes), value_; }
  u32 bits_of_float() const { return require(four_bytes), static_cast<u32>(value_); }
  std::string_view text() const { return require(with_length), text_; }
  // A number, or several that stand together.
  template <class F>
  void each_number(F f) {
    if (wire_ != with_length) return f(integer());
    WireReader packed(text_, fail_);
    while (!packed.bytes_.empty()) f(packed.varint());
  }

  u32 number = 0;

 private:
  enum : u32 { whole = 0, eight_bytes = 1, with_length = 2, four_bytes = 5 };
  static constexpr u64 max_field = (u64{1} << 29) - 1;

  void require(u32 wire) const {
    if (wire_ != wire)
      fail_(fmt::format("found wire type {} of field {}, expected {}", wire_, number, wire), begin_);
  }
  u64 varint() {
    const char* const begin = bytes_.data();
    u64 out = 0;
    for (u32 shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) fail_("a number ends too early", begin);
      const u8 byte = static_cast<u8>(bytes_.front());
      bytes_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      out |= u64{byte & 127u} << shift;
      if (byte < 128) return out;
    }
    fail_("a number has more than 64 bits", begin);
    return 0;
  }
  u64 fixed(std::size_t size) {
    if (bytes_.size() < size) fail_("a number ends too early", bytes_.data());
    u64 out = 0;
    for (std::size_t i = 0; i < size; ++i) out |= u64{static_cast<u8>(bytes_[i])} << (8 * i);
    bytes_.remove_prefix(size);
    return out;
  }

  std::string_view bytes_, text_;
  Fail fail_;
  const char* begin_ = nullptr;  // of the field
  u32 wire_ = whole;
  u64 value_ = 0;
};

using Fail = WireReader::Fail;

struct WireAttribute {
  std::string name;
  double value = 0;
  bool has_value = false;
  std::string text;
  std::vector<u64> list;
};

double signed_value(u64 zigzag) {
  const u64 half = zigzag >> 1;
  return zigzag & 1 ? -static_cast<double>(half) - 1 : static_cast<double>(half);
}

WireAttribute read_attribute(std::string_view bytes, const Fail& fail) {
  WireAttribute out;
  const auto set = [&](double value) { out.value = value, out.has_value = true; };
  for (WireReader in(bytes, fail); in.next();) switch (in.number) {
      case field::attribute_name:
        out.name = in.text();
        break;
      case field::double_value:
        set(std::bit_cast<double>(in.bits_of_double()));
        break;
      case field::float_value:
        set(std::bit_cast<float>(in.bits_of_float()));
        break;
      case field::int32_value:
      case field::int64_value:
        set(static_cast<double>(static_cast<i64>(in.integer())));
        break;
      case field::uint32_value:
      case field::uint64_value:
      case field::bool_value:
        set(static_cast<double>(in.integer()));
        break;
      case field::sint32_value:
      case field::sint64_value:
        set(signed_value(in.integer()));
        break;
      case field::string_value:
        out.text = in.text();
        break;
      case field::uint64_list:
        for (WireReader list(in.text(), fail); list.next();)
          if (list.number == field::list_values)
            list.each_number([&](u64 value) { out.list.push_back(value); });
        break;
      default:
        break;
    }
  return out;
}

ChakraNode read_node(std::string_view bytes, const Fail& fail) {
  ChakraNode out;
  for (WireReader in(bytes, fail); in.next();) switch (in.number) {
      case field::id:
        out.id = in.integer();
        break;
      case field::name:
        out.name = in.text();
        break;
      case field::type:
        out.type = static_cast<u32>(std::min<u64>(in.integer(), ~u32{0}));
        break;
      case field::control:
      case field::data:
        in.each_number([&](u64 earlier) { out.after.push_back(earlier); });
        break;
      case field::micros:
        out.micros = in.integer();
        break;
      case field::attribute: {
        const WireAttribute attribute = read_attribute(in.text(), fail);
        if (attribute.name == "start_deps") out.after_begin = attribute.list;
        if (attribute.has_value) out.set(attribute.name, attribute.value);
        if (!attribute.text.empty()) out.set(attribute.name, attribute.text);
        break;
      }
      default:
        break;
    }
  return out;
}

// The messages of a stream, each after its length.
class MessageReader {
 public:
  // `rank`: whose file it is, where each rank has one.
  MessageReader(const ChakraSource& source, std::optional<u32> rank) : source_(source), rank_(rank) {}

  // `where`: in the message; else where it begins.
  [[noreturn]] void fail(const std::string& what, const char* where = nullptr) const {
    const u64 byte = where ? content_ + static_cast<u64>(where - bytes_.data()) : begin_;
    throw InputError(Place{source_.file, 0},
                     fmt::format("message {}{} at byte {}: {}", number_,
                                 rank_ ? fmt::format(" (rank {})", *rank_) : "", byte, what));
  }
  bool next() {
    u64 size = 0;
    ++number_;
    content_ = begin_ = content_ + bytes_.size();
    for (u32 shift = 0;; shift += 7) {
      const int byte = source_.in.get();
      if (byte == std::istream::traits_type::eof()) {
        if (shift == 0) return false;
        fail("its length ends too early");
      }
      ++content_;
      size |= u64{static_cast<u32>(byte) & 127u} << shift;
      if (byte < 128) break;
      if (shift > 49) fail("its length has too many bytes");
    }
    if (size > max_message) fail(fmt::format("it has {} bytes; expected at most {}", size, max_message));
    bytes_.resize(size);
    source_.in.read(bytes_.data(), static_cast<std::streamsize>(size));
    if (const auto got = static_cast<u64>(source_.in.gcount()); got != size)
      fail(fmt::format("it ends too early: {} of its {} bytes are there", got, size));
    return true;
  }
  std::string_view bytes() const { return bytes_; }

 private:
  const ChakraSource& source_;
  std::optional<u32> rank_;
  std::string bytes_;
  u64 number_ = 0, begin_ = 0, content_ = 0;  // of the message: its number, and bytes of the file before both
};

// What the metadata says about ranks; 0: nothing.
u32 ranks_of(std::string_view metadata, const Fail& fail) {
  for (WireReader in(metadata, fail); in.next();) {
    if (in.number != field::metadata_attribute) continue;
    const char* const where = in.text().data();
    const WireAttribute attribute = read_attribute(in.text(), fail);
    if (attribute.name != "num_ranks") continue;
    if (!(attribute.value >= 1 && attribute.value <= max_chakra_ranks))
      fail(fmt::format("found {} for num_ranks, expected 1 to {}", attribute.value, max_chakra_ranks), where);
    return static_cast<u32>(attribute.value);
  }
  return 0;
}

// Writes a message's fields.
class WireWriter {
 public:
  void number(u32 field, u64 value) {
    varint(u64{field} << 3);
    varint(value);
  }
  void real(u32 field, double value) {
    varint(u64{field} << 3 | 1);
    const u64 bits = std::bit_cast<u64>(value);
    for (u32 i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i)));
  }
  void text(u32 field, std::string_view value) {
    varint(u64{field} << 3 | 2);
    varint(value.size());
    bytes.append(value);
  }
  void attribute(u32 field, std::string_view name, u64 value) {
    WireWriter inner;
    inner.text(field::attribute_name, name);
    inner.number(field::int64_value, value);
    text(field, inner.bytes);
  }
  void write(std::ostream& out) const {
    WireWriter length;
    length.varint(bytes.size());
    out << length.bytes << bytes;
  }
  void varint(u64 value) {
    for (; value > 127; value >>= 7) bytes.push_back(static_cast<char>(value | 128));
    bytes.push_back(static_cast<char>(value));
  }

  std::string bytes;
};

std::string node_bytes(const ChakraNode& node) {
  WireWriter out;
  out.number(field::id, node.id);
  out.text(field::name, node.name);
  out.number(field::type, node.type);
  for (const u64 earlier : node.after) out.number(field::data, earlier);
  if (node.micros > 0) out.number(field::micros, node.micros);
  ChakraNode::numbers(node, [&](std::string_view name, const std::optional<u64>& value) {
    if (value) out.attribute(field::attribute, name, *value);
  });
  if (node.seconds) {
    WireWriter inner;
    inner.text(field::attribute_name, "duration_seconds");
    inner.real(field::double_value, *node.seconds);
    out.text(field::attribute, inner.bytes);
  }
  if (!node.after_begin.empty()) {
    WireWriter list, inner;
    for (const u64 earlier : node.after_begin) list.number(field::list_values, earlier);
    inner.text(field::attribute_name, "start_deps");
    inner.text(field::uint64_list, list.bytes);
    out.text(field::attribute, inner.bytes);
  }
  return out.bytes;
}

}  // namespace

Program read_chakra(std::span<const ChakraSource> sources) {
  std::optional<ChakraProgram> program;
  for (u32 rank = 0; rank < sources.size(); ++rank) {
    MessageReader messages(sources[rank], sources.size() > 1 ? std::optional(rank) : std::nullopt);
    const Fail fail = [&](const std::string& what, const char* where) { messages.fail(what, where); };
    if (!messages.next()) messages.fail("found nothing, expected the metadata of a Chakra trace");
    const u32 ranks = ranks_of(messages.bytes(), fail);
    if (!program)
      program.emplace(sources.size() == 1 && ranks > 0 ? ranks : static_cast<u32>(sources.size()));
    program->begin_file(sources[rank].file, rank);
    while (messages.next()) program->add(read_node(messages.bytes(), fail));
    program->end_file();
  }
  return program->take(chakra_name(sources));
}

void write_chakra(std::ostream& out, const Program& program) {
  WireWriter metadata;
  metadata.text(field::metadata_version, "0.0.4");
  metadata.attribute(field::metadata_attribute, "num_ranks", program.ranks);
  metadata.write(out);
  each_chakra_node(program, [&](const ChakraNode& node) {
    WireWriter message;
    message.bytes = node_bytes(node);
    message.write(out);
  });
}

}  // namespace banyan::traffic
