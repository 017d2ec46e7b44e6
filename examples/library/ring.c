/* Sends a message round a ring of hosts: each passes it on when it has arrived. Prints when it is back. */
#include <banyan/banyan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static banyan_network* network;

static void must(banyan_status status) {
  if (status == BANYAN_OK) return;
  fprintf(stderr, "%s\n", banyan_error());
  exit(status);
}

static void pass_on(void* context, const banyan_arrival* message) {
  const uint32_t hosts = *(const uint32_t*)context;
  if (message->to == 0)
    printf("back after %.9f s\n", message->time);
  else
    must(banyan_network_send(network, message->to, (message->to + 1) % hosts, message->bytes, message->tag));
}

int main(void) {
  banyan_fabric* fabric;
  banyan_routing* routing;
  banyan_fabric_arrays arrays;
  const char* const options[] = {"link", "400G", "switch-delay", "100ns", NULL};
  must(banyan_fabric_open("4-ary 3-tree", NULL, &fabric));
  must(banyan_fabric_look(fabric, &arrays));
  must(banyan_route(fabric, "dmodk", NULL, &routing));
  must(banyan_network_new(routing, options, pass_on, &arrays.hosts, &network));
  must(banyan_network_send(network, 0, 1, 1 << 20, 7));
  must(banyan_network_advance(network, INFINITY));
  banyan_network_free(network);
  banyan_routing_free(routing);
  banyan_fabric_free(fabric);
  return 0;
}
