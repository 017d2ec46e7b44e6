/* Banyan for C and for any language that calls C: fabrics, routings, answers, and a network that is advanced by
 * time.
 *
 * Handles. A function that makes one stores it in its last argument; each kind has a function that frees it, which
 * takes NULL. Fabrics, routings and answers never change, so any number of threads may use one. A handle keeps what
 * it was made from alive: a fabric may be freed before its routings. A network belongs to one thread at a time.
 *
 * Failures. Functions that can fail return a banyan_status. If it is not BANYAN_OK nothing was made, and
 * banyan_error() has the reason as a text. No C++ exception leaves the library. In builds with assertions, a handle
 * that was freed, or that is of another kind, aborts with a message.
 *
 * Options are pairs of texts, {"samples", "1000", "seed", "1", NULL}, with the names of the program's options;
 * NULL means none. docs/c.md and `banyan help VERB` list them.
 *
 * The binary interface is stable within a soname: functions are added, none changes.
 *
 *   const char* const options[] = {"samples", "1000", "seed", "1", NULL};
 *   banyan_fabric* fabric = NULL;
 *   banyan_routing* routing = NULL;
 *   banyan_answer* answer = NULL;
 *   double load = 0;
 *   if (banyan_fabric_open("4-ary 3-tree", NULL, &fabric) || banyan_route(fabric, "dmodk", NULL, &routing) ||
 *       banyan_load(routing, "permutation", options, &answer) || banyan_answer_number(answer, "max_load", &load))
 *     fprintf(stderr, "%s\n", banyan_error());
 *   else
 *     printf("%g\n", load);
 *   banyan_answer_free(answer);
 *   banyan_routing_free(routing);
 *   banyan_fabric_free(fabric); */
#ifndef BANYAN_H
#define BANYAN_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define BANYAN_API
#else
#define BANYAN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  BANYAN_OK = 0,
  BANYAN_INPUT_ERROR = 2,    /* what was given is wrong: the text says what, and what was expected */
  BANYAN_NOT_APPLICABLE = 3, /* the engine or the question cannot do this: the text says why */
  BANYAN_OUT_OF_MEMORY = 4,
  BANYAN_FAILED = 5,      /* anything else, such as a file that cannot be written */
  BANYAN_INTERRUPTED = 130 /* banyan_interrupt() was called */
} banyan_status;

typedef struct banyan_fabric banyan_fabric;
typedef struct banyan_routing banyan_routing;
typedef struct banyan_answer banyan_answer;
typedef struct banyan_network banyan_network;

BANYAN_API const char* banyan_version(void); /* such as "0.1.0+74eb0f76449b" */
BANYAN_API const char* banyan_error(void);   /* of the last failure in this thread; "" if there was none */
BANYAN_API void banyan_interrupt(void);      /* long calls of all threads end soon, networks that advance included; a
                                                signal handler may call it */
BANYAN_API void banyan_resume(void);         /* calls run again */

/* --- fabrics ------------------------------------------------------------------------------------------------ */

/* A notation such as "4-ary 3-tree", or a file. `without`: faults as the program's --without takes them, ended by
 * NULL, or NULL. */
BANYAN_API banyan_status banyan_fabric_open(const char* text, const char* const* without, banyan_fabric** fabric);

/* From cables: nodes 0 to hosts - 1 are hosts, the others switches. Cable i joins from[i] and to[i], each at its
 * next free port. */
BANYAN_API banyan_status banyan_fabric_from_cables(uint32_t hosts, uint32_t switches, size_t cables,
                                                   const uint32_t* from, const uint32_t* to,
                                                   banyan_fabric** fabric);
BANYAN_API void banyan_fabric_free(banyan_fabric* fabric);

/* The fabric as flat arrays. Nodes are NICs first, by slot and then by host: the first NIC of every host, then the
 * second of those that have one (where all have as many, NIC r of host h is r * hosts + h; banyan_fabric_nic tells
 * in any case); then switches. `rails` are rails, or else slots, of which a host need not have all. Channel
 * first_channel[v] + p leaves node v by port p; channel_to is the node that it leads to, or UINT32_MAX if the port is
 * empty. The arrays belong to the fabric. */
typedef struct {
  uint32_t hosts, rails, nics, switches, nodes, links, channels;
  const uint32_t* first_channel; /* nodes + 1 of them */
  const uint32_t* channel_to;    /* channels of them */
} banyan_fabric_arrays;
BANYAN_API banyan_status banyan_fabric_look(const banyan_fabric* fabric, banyan_fabric_arrays* arrays);

/* The host of a NIC, its slot there, and its rail, or UINT32_MAX where it has none. Each of the three may be NULL. */
BANYAN_API banyan_status banyan_fabric_nic(const banyan_fabric* fabric, uint32_t nic, uint32_t* host, uint32_t* slot,
                                           uint32_t* rail);

/* The name of a node, at most `size` bytes of it with the final zero. *length is that of the whole name; it may be
 * NULL. */
BANYAN_API banyan_status banyan_fabric_name(const banyan_fabric* fabric, uint32_t node, char* name, size_t size,
                                            size_t* length);

/* --- routings ----------------------------------------------------------------------------------------------- */

/* By an engine such as "dmodk" or "disjoint:paths=4"; "auto" takes the best static one that applies. */
BANYAN_API banyan_status banyan_route(const banyan_fabric* fabric, const char* engine, const char* const* options,
                                      banyan_routing** routing);

/* By tables that the caller made: ports[s * nics + d] is the port by which switch s sends to NIC d, counted from 0;
 * 255 for none. `lanes` is NULL, or lanes[from * nics + to]. Both are copied. */
BANYAN_API banyan_status banyan_route_by_tables(const banyan_fabric* fabric, const uint8_t* ports,
                                                const uint8_t* lanes, banyan_routing** routing);
BANYAN_API void banyan_routing_free(banyan_routing* routing);

/* --- questions and answers ---------------------------------------------------------------------------------- */

/* Any question of the library by name: "size" of nothing; "describe", "draw", "assign" and "fail" of a fabric; "check",
 * "tables", "path", "load", "rates", "order", "time" and "simulate" of a routing. What the question does not need may be
 * NULL; a routing is asked with its own fabric. The options "without" of fail and "family" of size may be given several
 * times. */
BANYAN_API banyan_status banyan_ask(const char* question, const banyan_fabric* fabric,
                                    const banyan_routing* routing, const char* const* options,
                                    banyan_answer** answer);

/* Planned against observed cabling. */
BANYAN_API banyan_status banyan_diff(const banyan_fabric* plan, const banyan_fabric* observed, banyan_answer** answer);

BANYAN_API banyan_status banyan_check(const banyan_routing* routing, const char* const* options,
                                      banyan_answer** answer);
BANYAN_API banyan_status banyan_load(const banyan_routing* routing, const char* traffic, const char* const* options,
                                     banyan_answer** answer);
BANYAN_API banyan_status banyan_simulate(const banyan_routing* routing, const char* traffic,
                                         const char* const* options, banyan_answer** answer);
BANYAN_API void banyan_answer_free(banyan_answer* answer);

/* Fields by the names that the program's JSON has. A truth is 0 or 1; a number that is not known is NaN. A field
 * that was not asked for, or has another type, is BANYAN_INPUT_ERROR. Names with dots reach into answers and tables:
 * "hottest.0.load". */
BANYAN_API banyan_status banyan_answer_number(const banyan_answer* answer, const char* name, double* value);
BANYAN_API banyan_status banyan_answer_text(const banyan_answer* answer, const char* name, const char** text);

typedef enum { BANYAN_FLOAT64, BANYAN_UINT64, BANYAN_UINT32, BANYAN_UINT8 } banyan_type;
/* An array of numbers; it belongs to the answer. */
BANYAN_API banyan_status banyan_answer_array(const banyan_answer* answer, const char* name, banyan_type* type,
                                             const void** data, size_t* count);
/* All of it; the text belongs to the answer. */
BANYAN_API banyan_status banyan_answer_json(const banyan_answer* answer, const char** json);

/* --- a network that is advanced by time ---------------------------------------------------------------------- */

/* For simulators that need a network behind a few calls. Messages are flows that share channels max-min fairly;
 * rates change whenever one begins or ends. Times are in seconds, from 0. Callbacks run within
 * banyan_network_advance(), in the order of time, and may send and schedule; to advance in one is BANYAN_INPUT_ERROR, and none
 * may free the network. */
typedef struct {
  uint64_t tag, bytes;
  uint32_t from, to; /* hosts */
  double sent, time; /* when it was sent, and when it arrived: now */
} banyan_arrival;
typedef void (*banyan_on_arrival)(void* context, const banyan_arrival* arrival);
typedef void (*banyan_on_time)(void* context);

/* Options: link (speed of a link of capacity 1, such as 400G), nic, overhead, switch-delay, cable. */
BANYAN_API banyan_status banyan_network_new(const banyan_routing* routing, const char* const* options,
                                            banyan_on_arrival on_arrival, void* context,
                                            banyan_network** network);
BANYAN_API void banyan_network_free(banyan_network* network);

BANYAN_API banyan_status banyan_network_send(banyan_network* network, uint32_t from, uint32_t to, uint64_t bytes,
                                             uint64_t tag);
/* Where messages share a channel, one of twice the weight gets twice the rate; banyan_network_send() has weight 1. */
BANYAN_API banyan_status banyan_network_send_weighted(banyan_network* network, uint32_t from, uint32_t to,
                                                      uint64_t bytes, uint64_t tag, double weight);
BANYAN_API banyan_status banyan_network_schedule(banyan_network* network, double time, banyan_on_time on_time,
                                                 void* context);
/* Asked by a callback: banyan_network_advance() returns as soon as that has, and the clock stays. */
BANYAN_API banyan_status banyan_network_stop(banyan_network* network);
/* Runs all that happens until then; infinity: until nothing is left. */
BANYAN_API banyan_status banyan_network_advance(banyan_network* network, double until);
BANYAN_API banyan_status banyan_network_now(const banyan_network* network, double* now);
BANYAN_API banyan_status banyan_network_next(banyan_network* network, double* time); /* infinity: nothing */

#ifdef __cplusplus
}
#endif
#endif
