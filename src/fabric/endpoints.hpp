// Endpoints: the hosts of a fabric and their NICs, in numbers. A host has 1 to 256 NICs, not necessarily as
// many as the next host.
//
// NICs are numbered by slot, then by host: the first NIC of every host, then the second of those that have
// one. Where every host has R, the NIC in slot r of host h of N is r N + h, and all queries are arithmetic;
// otherwise they read a table. All take constant time.
//
// A *rail* is a label of NICs that belong together; it may be absent. A *column* is a label that every NIC
// has: its rail if it has one, else its slot, or a number behind all rails where only others have one. No
// two NICs of a host share a column, so that NICs of two hosts can be paired by it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "fabric/ids.hpp"
#include "fabric/role.hpp"

namespace banyan::fabric {

inline constexpr u32 max_nics_of_a_host = 256;

// A NIC, before it has a number.
struct NicLabel {
  std::optional<u32> rail{};  // below 256
  std::string adapter{};      // its name in its host, mlx5_0; may be empty
};

// A host, before it has a number; its NICs are in order of their slots.
struct HostLabel {
  Role role = Role::host;
  std::vector<NicLabel> nics = {{}};
};

class Endpoints {
 public:
  enum class Slots : bool { plain, rails };
  // Hosts that all have so many NICs; their slots are rails, or are not labelled.
  explicit Endpoints(u32 hosts = 0, u32 nics_of_a_host = 1, Slots slots = Slots::rails);
  explicit Endpoints(const std::vector<HostLabel>& hosts);

  u32 hosts() const { return hosts_; }  // whatever their role
  u32 nics() const { return nics_; }
  u32 slots() const { return slots_; }      // of the host with most NICs; at least 1
  u32 columns() const { return columns_; }  // at least 1
  u32 rails() const { return rails_; }      // 0 where no NIC has one

  u32 nics(Host host) const { return is_even() ? slots_ : first_[index(host) + 1] - first_[index(host)]; }
  Nic nic(Host host, u32 slot) const {
    BANYAN_HOT_ASSERT(slot < nics(host), "a host has the NIC that is asked for");
    return slot == 0   ? Nic{index(host)}
           : is_even() ? Nic{slot * hosts_ + index(host)}
                       : list_[first_[index(host)] + slot];
  }
  Nic in_column(Host host, u32 column) const {  // none<Nic> if the host has no such NIC
    BANYAN_HOT_ASSERT(column < columns_, "a fabric has the column that is asked for");
    return is_even() ? Nic{column * hosts_ + index(host)} : table_[index(host) * u64{columns_} + column];
  }
  Host host(Nic nic) const {
    return index(nic) < hosts_ ? Host{index(nic)} : is_even() ? Host{index(nic) % hosts_} : host_[nic];
  }
  u32 slot(Nic nic) const { return index(nic) < hosts_ ? 0 : is_even() ? index(nic) / hosts_ : slot_[nic]; }
  u32 column(Nic nic) const { return is_even() ? slot(nic) : column_[nic]; }
  std::optional<u32> rail(Nic nic) const {
    const u32 at = column(nic);
    return at < rails_ ? std::optional(at) : std::nullopt;
  }

  Role role(Host host) const { return roles_.empty() ? Role::host : roles_[host]; }
  std::string_view adapter(Nic nic) const {
    return names_.of.empty() ? "" : std::string_view(names_.of[nic]);
  }

  Endpoints with_roles(IdVector<Host, Role> roles) const;  // the same hosts in other roles

  bool operator==(const Endpoints&) const = default;

 private:
  bool is_even() const { return table_.empty(); }
  void number_nics(const std::vector<HostLabel>& hosts);
  void assign_columns(const std::vector<HostLabel>& hosts);

  u32 hosts_ = 0, nics_ = 0, slots_ = 1, columns_ = 1, rails_ = 0;
  // Empty where every host has slots_ NICs and their columns are their slots.
  std::vector<u32> first_;         // by host, in list_; one more at the end
  std::vector<Nic> list_, table_;  // by host and slot; by host and column
  IdVector<Nic, Host> host_;       // by NIC, as are the next two
  IdVector<Nic, u8> slot_;
  IdVector<Nic, u16> column_;
  IdVector<Host, Role> roles_;  // empty where all are hosts
  // What adapters are called is no part of a fabric's structure.
  struct AdapterNames {
    IdVector<Nic, std::string> of;  // empty where none has a name
    bool operator==(const AdapterNames&) const { return true; }
  } names_;
};

}  // namespace banyan::fabric
