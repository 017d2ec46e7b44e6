/* What the C interface says of itself: statuses and texts of failures, arrays, tables, JSON, time. Silent if all holds. */
#include <banyan/banyan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(what)                                                          \
  do {                                                                        \
    if (!(what)) {                                                            \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #what, banyan_error()); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)
#define OK(call) EXPECT((call) == BANYAN_OK)
#define FAILS(call, status, text) EXPECT((call) == (status) && strstr(banyan_error(), (text)))

static int arrivals;
static double last;
static void count(void* context, const banyan_arrival* arrival) {
  EXPECT(context == &arrivals && arrival->bytes == 1000000 && arrival->sent == 0);
  ++arrivals;
  last = arrival->time;
}
static void tick(void* context) { *(int*)context += 100; }

static void failures(const banyan_fabric* fabric, const banyan_routing* routing) {
  banyan_fabric* no_fabric = NULL;
  banyan_routing* no_routing = NULL;
  banyan_answer* answer = NULL;
  const char* const misspelt[] = {"sampels", "10", NULL};
  const char* const odd[] = {"samples", NULL};
  const char* const twice[] = {"samples", "1", "samples", "2", NULL};
  FAILS(banyan_fabric_open("4-ary 3-treee", NULL, &no_fabric), BANYAN_INPUT_ERROR, "4-ary 3-treee");
  FAILS(banyan_fabric_open(NULL, NULL, &no_fabric), BANYAN_INPUT_ERROR, "banyan_fabric_open: an argument is NULL");
  FAILS(banyan_route(fabric, "dor", NULL, &no_routing), BANYAN_NOT_APPLICABLE, "dimension order");
  FAILS(banyan_route(fabric, "dmodq", NULL, &no_routing), BANYAN_INPUT_ERROR, "dmodk");
  FAILS(banyan_load(routing, "permutation", misspelt, &answer), BANYAN_INPUT_ERROR, "samples");
  FAILS(banyan_load(routing, "permutation", odd, &answer), BANYAN_INPUT_ERROR, "pairs");
  FAILS(banyan_load(routing, "permutation", twice, &answer), BANYAN_INPUT_ERROR, "twice");
  FAILS(banyan_load(NULL, "permutation", NULL, &answer), BANYAN_INPUT_ERROR, "banyan_load: an argument is NULL");
  FAILS(banyan_ask("laod", fabric, routing, NULL, &answer), BANYAN_INPUT_ERROR, "load");
  EXPECT(!no_fabric && !no_routing && !answer);
}

static void answers(const banyan_routing* routing) {
  const char* const options[] = {"samples", "10", "channels", "true", "threads", "1", NULL};
  banyan_answer* answer;
  banyan_type type;
  const void* data;
  size_t size;
  const char* text;
  double x;
  OK(banyan_check(routing, NULL, &answer));
  OK(banyan_answer_number(answer, "yes", &x));
  EXPECT(x == 1);
  FAILS(banyan_answer_text(answer, "yes", &text), BANYAN_INPUT_ERROR, "no text");
  banyan_answer_free(answer);
  OK(banyan_load(routing, "permutation", options, &answer));
  OK(banyan_answer_number(answer, "hottest.0.load", &x));
  OK(banyan_answer_array(answer, "channel_loads", &type, &data, &size));
  EXPECT(type == BANYAN_FLOAT64 && size == 64 * 2 + 2 * 16 * 4 * 2);
  OK(banyan_answer_json(answer, &text));
  EXPECT(text[0] == '{' && strstr(text, "\"max_load\""));
  FAILS(banyan_answer_number(answer, "max_laod", &x), BANYAN_INPUT_ERROR, "'max_load'");
  FAILS(banyan_answer_number(answer, "mean_rate", &x), BANYAN_INPUT_ERROR, "not asked for");
  banyan_answer_free(answer);
}

/* A star of three hosts: two messages into one link share it. */
static void star(void) {
  const uint32_t from[] = {0, 1, 2}, to[] = {3, 3, 3};
  const uint8_t ports[] = {0, 1, 2};
  const char* const options[] = {"link", "8Mbit/s", NULL}; /* 10^6 bytes a second */
  banyan_fabric* fabric;
  banyan_routing* routing;
  banyan_network* network;
  banyan_answer* answer;
  double x;
  int ticks = 0;
  char name[8];
  OK(banyan_fabric_from_cables(3, 1, 3, from, to, &fabric));
  OK(banyan_fabric_name(fabric, 3, name, sizeof name, NULL));
  OK(banyan_route_by_tables(fabric, ports, NULL, &routing));
  banyan_fabric_free(fabric); /* the routing keeps it */
  OK(banyan_check(routing, NULL, &answer));
  OK(banyan_answer_number(answer, "yes", &x));
  EXPECT(x == 1);
  banyan_answer_free(answer);
  OK(banyan_network_new(routing, options, count, &arrivals, &network));
  banyan_routing_free(routing);
  OK(banyan_network_send(network, 0, 2, 1000000, 1));
  OK(banyan_network_send(network, 1, 2, 1000000, 2));
  OK(banyan_network_schedule(network, 1.5, tick, &ticks));
  FAILS(banyan_network_send(network, 0, 3, 1, 1), BANYAN_INPUT_ERROR, "no host 3");
  OK(banyan_network_advance(network, 1.75));
  EXPECT(arrivals == 0 && ticks == 100);
  OK(banyan_network_next(network, &x));
  EXPECT(fabs(x - 2) < 1e-9);
  FAILS(banyan_network_advance(network, 1), BANYAN_INPUT_ERROR, "past");
  OK(banyan_network_advance(network, INFINITY));
  EXPECT(arrivals == 2 && fabs(last - 2) < 1e-9);
  banyan_network_free(network);
}

int main(void) {
  banyan_fabric* fabric;
  banyan_routing* routing;
  EXPECT(strlen(banyan_version()) > 0 && strcmp(banyan_error(), "") == 0);
  OK(banyan_fabric_open("4-ary 3-tree", NULL, &fabric));
  OK(banyan_route(fabric, NULL, NULL, &routing));
  failures(fabric, routing);
  answers(routing);
  banyan_routing_free(routing);
  banyan_fabric_free(fabric);
  star();
  banyan_fabric_free(NULL);
  return 0;
}
