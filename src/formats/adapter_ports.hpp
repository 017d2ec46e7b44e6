// An InfiniBand adapter may have several ports in one subnet. Each has an address of its own, so each is a
// NIC of its host: readers of InfiniBand's formats split adapters, and the writer puts them together again by
// the GUID that the ports share.
#pragma once
#include "formats/raw_fabric.hpp"

namespace banyan::formats {

// Makes a NIC with one port of every cabled port of an adapter that has several.
void split_adapters(RawFabric& raw);

// Makes a NIC of every labelled port of a host, called like the label, where the file does not name rails.
void split_labelled_ports(RawFabric& raw);

// Nodes of unknown kind with a port labelled as those of switches are (swp49, Ethernet12, 1/1/3) are
// switches. Those whose ports are all labelled as those of hosts are (eth0, ens1f0, mlx5_2) become hosts, if
// their cables lead to ports that are labelled otherwise.
void find_labelled_hosts(RawFabric& raw);

// Where a NIC stands in its adapter.
struct AdapterPlace {
  Node first;            // NIC of the adapter
  u32 ports_before = 0;  // of the NICs before it
};

// By NIC. One without a GUID is an adapter by itself. `ids` may be empty.
IdVector<Nic, AdapterPlace> adapter_places(const Fabric& fabric, const InfinibandIds& ids);

}  // namespace banyan::formats
