// Dynamic allocation: the process of Algorithm 2 (and 5, for messages up to a threshold) and the NIC process
// of Algorithm 3 of one host. Both ends of a rail are reserved before a message is sent.
#pragma once
#include "flit/rails/policy.hpp"

namespace banyan::flit {

RailPolicy reserving(RailPolicy policy);  // with the functions below

}  // namespace banyan::flit

namespace banyan::flit::reservation {

void posted(RailHost& host, const RailRules& rules, u32 process, RailActions& out);
void control(RailHost& host, const RailRules& rules, u32 rail, const ControlPacket& packet, RailActions& out);
void data(RailHost& host, const RailRules& rules, u32 rail, const DataEvent& event, RailActions& out);
void expired(RailHost& host, const RailRules& rules, u32 process, u32 ticket, u32 round, RailActions& out);
void died(RailHost& host, const RailRules& rules, u32 rail, RailActions& out);

}  // namespace banyan::flit::reservation
