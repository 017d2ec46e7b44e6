/* What OpenSM's side of the plugin, which is C, asks of ours, which is C++: a subnet goes in, node by node
 * and port by port, and tables, service levels and reasons come out. Numbers are in host order. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct banyan_router banyan_router;
typedef void banyan_say(void* context, int is_error, const char* text);

/* configuration: the file with our options; NULL or empty: all are as they are by default. */
banyan_router* banyan_router_new(const char* configuration, banyan_say* say, void* context);
void banyan_router_delete(banyan_router* router);

/* A sweep: begin, then every node and every port of it that is up, then route. */
void banyan_begin(banyan_router* router);
void banyan_node(banyan_router* router, uint64_t guid, int is_switch, unsigned ports,
                 const char* description);
/* Port 0 is the switch itself and has no far end: far_guid 0. */
void banyan_port(banyan_router* router, uint64_t node_guid, unsigned port, uint64_t port_guid, uint16_t lid,
                 uint8_t lmc, uint64_t far_guid, unsigned far_port);
/* 0 when all was routed on no more than so many lanes and the verdict is yes; otherwise the reason was said.
 */
int banyan_route(banyan_router* router, unsigned max_lanes);

/* Of the last sweep that was routed. Switches are numbered from 0 in the order in which they came. A table
 * holds a port for each LID, 255 for none. */
void banyan_table(const banyan_router* router, unsigned switch_number, uint8_t* table, unsigned size);
/* Rows of OpenSM's LID matrix, for every switch and the LID of every switch: by port the hops there, 255 for
 * none, and the least of them in front. */
typedef void banyan_take_hops(void* context, unsigned switch_number, uint16_t lid, const uint8_t* row,
                              unsigned size);
void banyan_hops(const banyan_router* router, banyan_take_hops* take, void* context);
unsigned banyan_lanes(const banyan_router* router);
unsigned banyan_lane(const banyan_router* router, uint16_t from_lid, uint16_t to_lid);

#ifdef __cplusplus
}
#endif
