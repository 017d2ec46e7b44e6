/* Preloaded into an OpenSM that runs under callgrind: counts what its routing step executes and nothing else. Callgrind's own
 * --toggle-collect misses ends of functions on arm64. COUNT_ROUTING=1 leaves out what OpenSM does around every engine. */
#include <stdlib.h>
#include <valgrind/callgrind.h>

#define IN_OPENSM(name) I_WRAP_SONAME_FNNAME_ZU(NONE, name)

static int routing_alone(void) {
  const char *text = getenv("COUNT_ROUTING");
  return text && *text == '1';
}

int IN_OPENSM(osm_ucast_mgr_process)(void *manager) {
  OrigFn step;
  int out;
  VALGRIND_GET_ORIG_FN(step);
  CALLGRIND_TOGGLE_COLLECT;
  CALL_FN_W_W(out, step, manager);
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS;
  return out;
}

/* Empties the tables of a switch. */
int IN_OPENSM(osm_switch_prepare_path_rebuild)(void *sw, unsigned short max_lid) {
  OrigFn empty;
  int out;
  VALGRIND_GET_ORIG_FN(empty);
  if (routing_alone()) CALLGRIND_TOGGLE_COLLECT;
  CALL_FN_W_WW(out, empty, sw, max_lid);
  if (routing_alone()) CALLGRIND_TOGGLE_COLLECT;
  return out;
}

/* Sends the blocks of tables that changed. */
void IN_OPENSM(osm_ucast_mgr_set_fwd_tables)(void *manager) {
  OrigFn send;
  int out;
  VALGRIND_GET_ORIG_FN(send);
  if (routing_alone()) CALLGRIND_TOGGLE_COLLECT;
  CALL_FN_W_W(out, send, manager);
  if (routing_alone()) CALLGRIND_TOGGLE_COLLECT;
  (void)out;
}
