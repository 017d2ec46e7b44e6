#include "fabric/endpoints.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace banyan::fabric {
namespace {

bool has_plain_columns(const std::vector<HostLabel>& hosts, u32 slots) {
  bool has_rails = false, lacks_rails = false;
  for (const HostLabel& host : hosts) {
    if (host.nics.size() != slots) return false;
    for (u32 slot = 0; slot < slots; ++slot) {
      const auto rail = host.nics[slot].rail;
      if (rail && *rail != slot) return false;
      (rail ? has_rails : lacks_rails) = true;
    }
  }
  return !(has_rails && lacks_rails);
}

}  // namespace

Endpoints::Endpoints(u32 hosts, u32 nics_of_a_host, Slots slots)
    : hosts_(hosts),
      nics_(hosts * nics_of_a_host),
      slots_(nics_of_a_host),
      columns_(nics_of_a_host),
      rails_(slots == Slots::rails && nics_of_a_host > 1 ? nics_of_a_host : 0) {
  BANYAN_ASSERT(nics_of_a_host >= 1, "a host has a NIC");
}

Endpoints::Endpoints(const std::vector<HostLabel>& hosts) : hosts_(static_cast<u32>(hosts.size())) {
  for (const HostLabel& host : hosts) {
    BANYAN_ASSERT(!host.nics.empty() && host.nics.size() <= max_nics_of_a_host, "a host has 1 to 256 NICs");
    nics_ += static_cast<u32>(host.nics.size());
    slots_ = std::max(slots_, static_cast<u32>(host.nics.size()));
    for (const NicLabel& nic : host.nics) rails_ = std::max(rails_, nic.rail ? *nic.rail + 1 : 0);
  }
  const bool are_single = slots_ == 1 && rails_ <= 1;  // one NIC each, none labelled otherwise than another
  if (are_single) rails_ = 0;
  columns_ = std::max(slots_, rails_);
  if (!are_single && !has_plain_columns(hosts, slots_)) {
    number_nics(hosts);
    assign_columns(hosts);
  }
  if (std::ranges::any_of(hosts, [](const HostLabel& host) { return host.role != Role::host; }))
    for (const HostLabel& host : hosts) roles_.push_back(host.role);
  const auto has_name = [](const NicLabel& nic) { return !nic.adapter.empty(); };
  if (std::ranges::none_of(hosts, [&](const HostLabel& h) { return std::ranges::any_of(h.nics, has_name); }))
    return;
  names_.of.resize(nics_);
  for (u32 host = 0; host < hosts_; ++host)
    for (u32 slot = 0; slot < hosts[host].nics.size(); ++slot)
      names_.of[nic(Host{host}, slot)] = hosts[host].nics[slot].adapter;
}

Endpoints Endpoints::with_roles(IdVector<Host, Role> roles) const {
  BANYAN_ASSERT(roles.size() == hosts_, "every host has a role");
  Endpoints out = *this;
  const bool are_hosts = std::ranges::all_of(roles, [](Role role) { return role == Role::host; });
  out.roles_ = are_hosts ? IdVector<Host, Role>() : std::move(roles);
  return out;
}

void Endpoints::number_nics(const std::vector<HostLabel>& hosts) {
  first_.assign(hosts_ + 1, 0);
  for (u32 h = 0; h < hosts_; ++h) first_[h + 1] = first_[h] + static_cast<u32>(hosts[h].nics.size());
  list_.resize(nics_);
  host_.resize(nics_);
  slot_.resize(nics_);
  column_.resize(nics_);
  u32 next = 0;
  for (u32 slot = 0; slot < slots_; ++slot)
    for (u32 h = 0; h < hosts_; ++h) {
      if (slot >= hosts[h].nics.size()) continue;
      const Nic nic{next++};
      list_[first_[h] + slot] = nic;
      host_[nic] = Host{h};
      slot_[nic] = static_cast<u8>(slot);
    }
}

// Labels first; a NIC without one, or with one that its host has twice, takes the next column behind all
// rails.
void Endpoints::assign_columns(const std::vector<HostLabel>& hosts) {
  for (u32 h = 0; h < hosts_; ++h) {
    std::vector<bool> is_taken(rails_);
    u32 behind = rails_;
    for (u32 slot = 0; slot < hosts[h].nics.size(); ++slot) {
      const auto rail = hosts[h].nics[slot].rail;
      const bool is_free = rail && !is_taken[*rail];
      if (is_free) is_taken[*rail] = true;
      column_[list_[first_[h] + slot]] = static_cast<u16>(is_free ? *rail : behind++);
    }
    columns_ = std::max(columns_, behind);
  }
  table_.assign(u64{hosts_} * columns_, none<Nic>);
  for (u32 h = 0; h < hosts_; ++h)
    for (u32 i = first_[h]; i < first_[h + 1]; ++i) table_[u64{h} * columns_ + column_[list_[i]]] = list_[i];
}

}  // namespace banyan::fabric
