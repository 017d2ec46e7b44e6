/* The plugin as OpenSM sees it: event_plugin_name banyan loads libbanyan.so, which registers the routing engine
 * banyan. Everything that touches OpenSM's structures is here, in C, because the table of a plugin has a member
 * called delete. */
#include <stdlib.h>
#include <string.h>

#include <complib/cl_qmap.h>
#include <iba/ib_types.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_node.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_port.h>
#include <opensm/osm_switch.h>
#include <opensm/osm_version.h>

#include "opensm_plugin/router.h"

struct plugin {
  osm_opensm_t *osm;
  banyan_router *router;
};

/* The switches of a sweep, in the order in which the router was told of them. */
struct switches {
  unsigned count;
  osm_switch_t **at;
};

static void say(void *context, int is_error, const char *text) {
  osm_opensm_t *osm = context;
  osm_log(&osm->log, is_error ? OSM_LOG_SYS | OSM_LOG_ERROR : OSM_LOG_INFO, "banyan: %s\n", text);
}

/* A number of lanes, from the code that ports and the configuration have for it. */
static unsigned data_lanes(unsigned code) {
  static const unsigned lanes[] = {1, 1, 2, 4, 8, 15};
  return code < sizeof lanes / sizeof *lanes ? lanes[code] : 1;
}

static int is_up(osm_physp_t *port) {
  return osm_physp_is_valid(port) && port->p_remote_physp && port->healthy && port->p_remote_physp->healthy;
}

static void tell_port(banyan_router *router, osm_node_t *node, osm_physp_t *port, unsigned number) {
  const osm_physp_t *far = number == 0 ? NULL : port->p_remote_physp;
  banyan_port(router, cl_ntoh64(osm_node_get_node_guid(node)), number, cl_ntoh64(osm_physp_get_port_guid(port)),
              cl_ntoh16(osm_physp_get_base_lid(port)), osm_physp_get_lmc(port),
              far ? cl_ntoh64(osm_node_get_node_guid(far->p_node)) : 0, far ? far->port_num : 0);
}

/* The whole subnet; how many lanes OpenSM uses on every link between switches: the least that a port of one has, within
 * its own max_op_vls, and one without QoS. */
static unsigned tell_subnet(struct plugin *plugin, struct switches *switches) {
  const osm_subn_opt_t *options = &plugin->osm->subn.opt;
  unsigned max_lanes = options->qos ? data_lanes(options->max_op_vls) : 1;
  cl_qmap_t *nodes = &plugin->osm->subn.node_guid_tbl;
  for (cl_map_item_t *item = cl_qmap_head(nodes); item != cl_qmap_end(nodes); item = cl_qmap_next(item)) {
    osm_node_t *node = (osm_node_t *)item;
    const int is_switch = osm_node_get_type(node) == IB_NODE_TYPE_SWITCH;
    banyan_node(plugin->router, cl_ntoh64(osm_node_get_node_guid(node)), is_switch, node->node_info.num_ports,
                node->print_desc);
    if (is_switch) switches->at[switches->count++] = node->sw;
    for (unsigned i = is_switch ? 0 : 1; i < osm_node_get_num_physp(node); ++i) {
      osm_physp_t *port = osm_node_get_physp_ptr(node, i);
      if (!port || (i > 0 && !is_up(port))) continue;
      tell_port(plugin->router, node, port, i);
      const unsigned lanes = data_lanes(ib_port_info_get_vl_cap(&port->port_info));
      if (i > 0 && is_switch && lanes < max_lanes) max_lanes = lanes;
    }
  }
  return max_lanes;
}

/* OpenSM's multicast follows the hops between switches. OpenSM keeps a row once it was made, and fills it with 255 before
 * every sweep. */
static void take_hops(void *context, unsigned number, uint16_t lid, const uint8_t *row, unsigned size) {
  const struct switches *switches = context;
  osm_switch_t *sw = switches->at[number];
  if (!sw || lid > sw->max_lid_ho) return;
  if (!sw->hops[lid]) osm_switch_set_hops(sw, lid, 0, OSM_NO_PATH);
  if (sw->hops[lid]) memcpy(sw->hops[lid], row, size < sw->num_ports ? size : sw->num_ports);
}

/* build_tables does it, where the subnet is known. */
static int build_hops_later(void *context) {
  (void)context;
  return 0;
}

/* A negative answer makes OpenSM go on to the next engine of its list, or to minhop unless that was forbidden. */
static int build_tables(void *context) {
  struct plugin *plugin = context;
  struct switches switches = {0, calloc(cl_qmap_count(&plugin->osm->subn.node_guid_tbl) + 1, sizeof *switches.at)};
  if (!switches.at) return -1;
  banyan_begin(plugin->router);
  const unsigned max_lanes = tell_subnet(plugin, &switches);
  const int failed = banyan_route(plugin->router, max_lanes);
  if (!failed) {
    for (unsigned i = 0; i < switches.count; ++i) {
      osm_switch_t *sw = switches.at[i];
      if (!sw) continue;
      memset(sw->new_lft, OSM_NO_PATH, sw->lft_size);
      banyan_table(plugin->router, i, sw->new_lft, sw->lft_size);
    }
    banyan_hops(plugin->router, take_hops, &switches);
  }
  free(switches.at);
  return failed;
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t from, const ib_net16_t to) {
  struct plugin *plugin = context;
  if (banyan_lanes(plugin->router) <= 1) return hint;
  return (uint8_t)banyan_lane(plugin->router, cl_ntoh16(from), cl_ntoh16(to));
}

/* Service level k is lane k, everywhere; levels that no path has are spread over the lanes. */
static void update_sl2vl(void *context, osm_physp_t *port, uint8_t in, uint8_t out, ib_slvl_table_t *table) {
  struct plugin *plugin = context;
  const unsigned lanes = banyan_lanes(plugin->router);
  (void)port, (void)in, (void)out;
  if (lanes <= 1) return;
  for (uint8_t level = 0; level < 16; ++level) ib_slvl_table_set(table, level, (uint8_t)(level % lanes));
}

static int set_up(osm_routing_engine_t *engine, osm_opensm_t *osm) {
  (void)osm;
  engine->build_lid_matrices = build_hops_later;
  engine->ucast_build_fwd_tables = build_tables;
  engine->path_sl = path_sl;
  engine->update_sl2vl = update_sl2vl;
  return 0;
}

static void delete_plugin(void *data) {
  struct plugin *plugin = data;
  if (plugin->router) banyan_router_delete(plugin->router);
  free(plugin);
}

static void *create_plugin(osm_opensm_t *osm) {
  struct plugin *plugin = calloc(1, sizeof *plugin);
  if (!plugin) return NULL;
  plugin->osm = osm;
  plugin->router = banyan_router_new(osm->subn.opt.event_plugin_options, say, osm);
  const external_routing_engine_module_t module = {"banyan", set_up, plugin};
  if (plugin->router && osm_register_external_routing_engine(osm, &module, plugin) == CL_SUCCESS) return plugin;
  delete_plugin(plugin);
  return NULL;
}

static void ignore_event(void *data, osm_epi_event_id_t event, void *event_data) {
  (void)data, (void)event, (void)event_data;
}

__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {OSM_VERSION, create_plugin,
                                                                              delete_plugin, ignore_event};
