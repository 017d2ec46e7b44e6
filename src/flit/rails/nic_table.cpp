#include "flit/rails/nic_table.hpp"

namespace banyan::flit {
namespace {

using namespace nic_sends;
using enum NicStatus;
using Cell = NicStep::Cell;

constexpr NicStep blank{nothing, free, Cell::impossible};
constexpr NicStep contest{nothing, reserved, Cell::contest};
constexpr NicStep filled(u8 sends, NicStatus next) { return {sends, next, Cell::filled}; }

// By event, then by status: free, receiving, sending, reserved, receiving and Out_RTS.
constexpr NicStep table[nic_events][nic_statuses] = {
    // local RTS
    {{remote_rts, reserved},
     {local_nack, receiving},
     {local_nack, sending},
     {local_nack, reserved},
     {local_nack, receiving_out_rts}},
    // local ACK
    {blank, {remote_ack, free}, blank, blank, {remote_ack, reserved}},
    // local ABORT
    {blank, blank, {remote_abort, free}, blank, blank},
    // remote RTS
    {{remote_cts, receiving},
     {remote_nack, receiving},
     {remote_nack, sending},
     contest,
     {remote_nack, receiving_out_rts}},
    // remote ABORT
    {blank, {nothing, free}, blank, blank, {nothing, reserved}},
    // remote CTS
    {{local_cts, sending},
     {remote_abort | local_nack, receiving},
     blank,
     {local_cts, sending},
     filled(remote_abort | local_nack, receiving)},
    // remote ACK
    {blank, blank, {nothing, free}, blank, blank},
    // remote NACK
    {{local_nack, free},
     {local_nack, receiving},
     {local_nack, sending},
     {local_nack, free},
     {local_nack, receiving}},
};

}  // namespace

NicStep nic_step(NicStatus status, NicEvent event) {
  return table[static_cast<u32>(event)][static_cast<u32>(status)];
}

Contest nic_contest(int local_counter, Host local, int remote_counter, Host remote, TieRule tie) {
  const bool wins_ties = tie == TieRule::strict ? local < remote : local != remote;
  const bool local_wins = local_counter > remote_counter || (local_counter == remote_counter && wins_ties);
  if (local_wins) return {{remote_nack, reserved, Cell::contest}, local_counter - 1};
  return {{remote_cts, receiving_out_rts, Cell::contest}, local_counter + 1};
}

}  // namespace banyan::flit
