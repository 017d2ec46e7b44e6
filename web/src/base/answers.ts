// What verbs answer, by verb and option. Made by tests/golden/docs.py from `banyan openapi`: do not edit.
export interface AnswerHead {
  version: string;
  seed: number;
  fabric?: string;
  engine?: string;
  tables?: string;
  nic?: string;
  traffic?: string;
}
export interface Size extends AnswerHead {
  candidates: { fabric: string; family: string; rails: number; hosts: number; switches: number; built_in: number; links: number; bisection_ratio: number; bisection_exact: boolean; diameter: number; mean_distance: number; distances_exact: boolean; shortest_paths_max: number | null; throughput_uniform: number; throughput_worst: number; idle_ports: number; cables_to_lose_host: number; cables_to_part_hosts: number | null; expandable_to: number; price: number; watts: number; longest_cable: number; cables_copper: number; cables_active_optical: number; cables_transceivers: number; price_exact: boolean; on_front: boolean; deep?: { engine: string; broken: number; draws: number; max_load: number | null; max_load_half_width: number | null; accepted: number | null; accepted_half_width: number | null; packet_latency: number | null; packet_latency_half_width: number | null; packet_latency_seconds?: number; packet_latency_seconds_half_width?: number | null; lost: number; remark?: string; }[]; steps?: { engine: string; broken: number; draws: number; seconds: number | null; seconds_half_width: number | null; exposed_seconds: number | null; exposed_seconds_half_width: number | null; remark?: string; }[]; }[];
  considered: number;
  within_limits: number;
  on_front: number;
  unmeasured: number;
  prices_estimated: boolean;
  cheapest: { fabric: string; family: string; rails: number; hosts: number; switches: number; built_in: number; links: number; bisection_ratio: number; bisection_exact: boolean; diameter: number; mean_distance: number; distances_exact: boolean; shortest_paths_max: number | null; throughput_uniform: number; throughput_worst: number; idle_ports: number; cables_to_lose_host: number; cables_to_part_hosts: number | null; expandable_to: number; price: number; watts: number; longest_cable: number; cables_copper: number; cables_active_optical: number; cables_transceivers: number; price_exact: boolean; on_front: boolean; deep?: { engine: string; broken: number; draws: number; max_load: number | null; max_load_half_width: number | null; accepted: number | null; accepted_half_width: number | null; packet_latency: number | null; packet_latency_half_width: number | null; packet_latency_seconds?: number; packet_latency_seconds_half_width?: number | null; lost: number; remark?: string; }[]; steps?: { engine: string; broken: number; draws: number; seconds: number | null; seconds_half_width: number | null; exposed_seconds: number | null; exposed_seconds_half_width: number | null; remark?: string; }[]; }[];
  currency: string;
  placeholder_prices: boolean;
  prices: { item: string; money: number; watts: number; speed: number | null; date: string; source: string; }[];
  racks_per_row: number;
  nearest: { fabric: string; family: string; rails: number; hosts: number; switches: number; built_in: number; links: number; bisection_ratio: number; bisection_exact: boolean; diameter: number; mean_distance: number; distances_exact: boolean; shortest_paths_max: number | null; throughput_uniform: number; throughput_worst: number; idle_ports: number; cables_to_lose_host: number; cables_to_part_hosts: number | null; expandable_to: number; price: number; watts: number; longest_cable: number; cables_copper: number; cables_active_optical: number; cables_transceivers: number; price_exact: boolean; on_front: boolean; deep?: { engine: string; broken: number; draws: number; max_load: number | null; max_load_half_width: number | null; accepted: number | null; accepted_half_width: number | null; packet_latency: number | null; packet_latency_half_width: number | null; packet_latency_seconds?: number; packet_latency_seconds_half_width?: number | null; lost: number; remark?: string; }[]; steps?: { engine: string; broken: number; draws: number; seconds: number | null; seconds_half_width: number | null; exposed_seconds: number | null; exposed_seconds_half_width: number | null; remark?: string; }[]; }[];
  unmet: { option: string; asked: number; nearest: number; }[];
}
export interface Describe extends AnswerHead {
  notation: string;
  family: string;
  rails: number;
  hosts: number;
  nics: number;
  switches: number;
  switches_per_level: number[];
  links: number;
  channels: number;
  switch_ports_min: number;
  switch_ports_max: number;
  diameter: number;
  average_distance: number;
  bisection_links: number;
  bisection_ratio: number;
  bisection_exact: boolean;
  constant_bisection: boolean | null;
  rlft: boolean | null;
  rlft_failed: string[];
  shortest_paths_max: number;
  missing_links: number;
  unreachable_pairs: number;
  nics_per_host: number[][];
  planes: number;
  roles: { host: number; storage: number; service: number; aggregation: number; unknown: number; };
  switches_without_cables: number;
  skipped_lines: number;
  slow_links: { ends: string[]; capacity: number; usual: number; text: string; }[];
  unnamed_adapters: number;
  rails_guessed: boolean;
  without: string[];
  recognised?: boolean;
  unrecognised_because?: string;
  missing_cables?: string[][];
  wrong_cables?: string[][];
  dead_switches?: { name: string; cables: number; beside: string[]; }[];
  undecided?: string[];
  doubts?: string[];
}
export interface DescribePair extends AnswerHead {
  a: string;
  b: string;
  rail: number;
  distance: number | null;
  shortest_paths: number;
  minimal_different_index: number | null;
  nearest_common_ancestors: string[];
}
export interface Draw extends AnswerHead {
  notation: string;
  kind: "tree" | "grid" | "ring" | "layers" | "free";
  hosts: number;
  rails: number;
  nics: number;
  switches: number;
  links: number;
  box: number[];
  names: string[];
  x: number[];
  y: number[];
  group: number[];
  first_channel: number[];
  channels: number;
  cables: number[];
  taken: number[];
  port_labels?: (number | string)[];
  groups: { name: string; parent: number | null; hosts: number; switches: number; detail: number; box: number[]; }[];
  levels: { nodes: number; y: number; }[];
}
export interface Path extends AnswerHead {
  source: string;
  destination: string;
  rail: number;
  paths: { index: number; weight: number; arrives: boolean; nodes: number[]; names: string[]; ports: number[]; channels: number[]; lanes: number[][]; reasons?: string[]; }[];
  shortest_paths?: number;
  shortest?: number[][];
}
export interface Check extends AnswerHead {
  yes: boolean;
  reachable: boolean;
  loop_free: boolean;
  minimal: boolean;
  deadlock_free: boolean;
  deadlock_proof: "none" | "acyclic" | "escape";
  lanes: number;
  pairs: number;
  pair_scope: "all" | "rail";
  disconnected_pairs: number;
  failing_pairs: number;
  longer_pairs: number;
  longest_excess: number;
  longest_path: number;
  average_path: number;
  idle_channels: number;
  idle_switches: number;
  max_destinations_per_channel: number;
  max_destinations_per_down_channel: number;
  counterexample: string | null;
  evidence: { kind: "lost" | "loop" | "deadlock" | "no-escape"; channels: number[]; lanes: number[]; sources: number[]; destinations: number[]; }[];
  detour: string | null;
  cut_off: string[];
  choice?: { groups: number; pairs: number; small_shortest: number; large_longer: number; both: number; criteria: { from: number; to: number; pairs: number; small_shortest: number; large_longer: number; both: number; }[]; cells: { bytes: number; from: number; to: number; pairs: number; shortest: number; longer: number; extra_channels: number; unreachable: number; }[]; };
}
export interface CheckShifts extends AnswerHead {
  shift_contention_free: boolean;
  worst_shift: number;
  worst_shift_load: number;
  pairs: number;
  left_out_pairs: number;
  worst_channel: string | null;
  worst_channel_flows: number;
  flows: { from: string; to: string; share: number; }[];
}
export interface CheckRecheck extends AnswerHead {
  certificate_holds: boolean;
}
export interface CheckProgram extends AnswerHead {
  deadlock_free: boolean;
  deadlock_free_unbuffered: boolean;
  ranks: number;
  operations: number;
  messages: number;
  bytes: number;
  unequal_sizes: number;
  cycle: { rank: number; line: number; operation: string; }[];
}
export interface Route extends AnswerHead {
  addresses_per_nic: number;
  paths_unlike_the_engines: number;
  yes: boolean;
  reachable: boolean;
  loop_free: boolean;
  minimal: boolean;
  deadlock_free: boolean;
  deadlock_proof: "none" | "acyclic" | "escape";
  lanes: number;
  pairs: number;
  pair_scope: "all" | "rail";
  disconnected_pairs: number;
  failing_pairs: number;
  longer_pairs: number;
  longest_excess: number;
  longest_path: number;
  average_path: number;
  idle_channels: number;
  idle_switches: number;
  max_destinations_per_channel: number;
  max_destinations_per_down_channel: number;
  counterexample: string | null;
  evidence: { kind: "lost" | "loop" | "deadlock" | "no-escape"; channels: number[]; lanes: number[]; sources: number[]; destinations: number[]; }[];
  detour: string | null;
  files: string[];
  load_command: string;
  ibdmchk_command: string;
  remark: string;
}
export interface Load extends AnswerHead {
  hosts: number;
  rails_policy?: string;
  ranks: number;
  per_capacity: boolean;
  in_bytes: boolean;
  samples: number;
  rounds: number;
  max_load: number;
  max_load_half_width: number | null;
  max_load_least: number;
  max_load_worst: number;
  bound: number | null;
  ratio: number | null;
  ratio_worst: number | null;
  mean_rate_orcs?: number;
  min_rate_orcs?: number;
  rate_model?: "max-min" | "contention";
  mean_rate?: number;
  mean_rate_half_width?: number | null;
  min_rate?: number;
  mean_share?: number;
  mean_share_half_width?: number | null;
  rate_samples?: number;
  effective_bisection?: number;
  effective_bisection_half_width?: number | null;
  bisections?: number;
  worst_optimum?: number;
  worst_ratio_to_optimum?: number;
  flows: number;
  undelivered: number;
  rail_bytes?: number[][];
  cross_rail_share?: number;
  cross_rail_pairs?: number;
  cross_rail?: { source: number; destination: number; source_nic: string; destination_nic: string; }[];
  worst_sample?: number;
  worst_round?: number;
  round?: number;
  channels?: { kind: string; channels: number; loaded: number; max_load: number; mean_load: number; }[];
  distribution?: { from: number; to: number; channels: number; }[];
  hottest?: { channel: number; name: string; load: number; flows: { source: string; destination: string; load: number; }[]; }[];
  channel_loads?: number[];
  round_max_loads?: number[];
  worst_permutation_load?: number;
  worst_permutation_exact?: boolean;
  worst_permutation_channel?: { channel: number; name: string; };
  worst_permutation_flows?: { from: number; to: number; demand: number; }[];
  worst_permutation?: number[];
  worst_rate?: number;
  worst_rate_random?: number;
  worst_rate_max_load?: number;
  worst_rate_exact?: boolean;
  worst_rate_swaps?: number;
  worst_rate_permutation?: number[];
  oblivious_ratio?: number;
  oblivious_exact?: boolean;
  oblivious_channel?: { channel: number; name: string; };
  oblivious_matrix?: { from: number; to: number; demand: number; }[];
  hashes?: number;
  queue_pairs?: number;
  max_load_mean?: number;
  max_load_mean_half_width?: number | null;
  max_load_p99?: number;
  undelivered_mean?: number;
  optimum?: number | null;
  spray_max_load?: number | null;
  hash_distribution?: { from: number; to: number; hashes: number; }[];
  by_queue_pairs?: { queue_pairs: number; max_load_mean: number; max_load_p99: number; }[];
  histogram?: { from: number; to: number; channels: number; }[];
  mpigraph?: { hosts: string[]; rates: number[][]; };
  device?: string;
  files?: string[];
}
export interface Order extends AnswerHead {
  ranks: number;
  chosen_from?: number;
  rounds: number;
  in_bytes: boolean;
  one_hash: boolean;
  order: number[];
  names: string[];
  max_load: number;
  max_load_worst: number;
  bound: number;
  contention_free: boolean;
  proof: "none" | "counted" | "theorem";
  optimal: boolean;
  found_by: "as_given" | "by_number" | "by_switch" | "in_turn" | "random" | "search" | "all_orders";
  swaps: number;
  as_given: { max_load: number; bound: number; contention_free: boolean; };
  by_switch: { max_load: number; bound: number; contention_free: boolean; };
  random: { max_load: number; bound: number; contention_free: boolean; };
  device?: string;
}
export interface Assign extends AnswerHead {
  rounds: number;
  connections: number;
  in_bytes: boolean;
  ways: number;
  max_load: number;
  bound: number;
  optimum: number | null;
  within_one: boolean;
  optimal: boolean;
  ecmp_max_load_mean: number | null;
  ecmp_max_load_p99: number | null;
  spray_max_load: number | null;
  umulti_max_load: number | null;
  disjoint_max_load: number | null;
  paths: { from: string; to: string; way: number; share: number; source_port?: number; names: string[]; ports: number[]; }[];
}
export interface Time extends AnswerHead {
  seconds: number;
  level: "fluid" | "flit" | "loggops";
  algorithm?: string;
  size?: number;
  algorithm_bandwidth?: number;
  bus_bandwidth?: number;
  hosts: number;
  ranks: number;
  messages: number;
  bytes: number;
  link: number;
  rails_policy?: string;
  rail_bytes?: number[][];
  cross_rail_share?: number;
  cross_rail_pairs?: number;
  cross_rail?: { source: number; destination: number; source_nic: string; destination_nic: string; }[];
  cycles?: number;
  each_round?: { messages: number; bytes: number; ends: number; }[];
}
export interface TimeSizes extends AnswerHead {
  level: "fluid" | "flit" | "loggops";
  hosts: number;
  ranks: number;
  link: number;
  sizes: { size: number; algorithm: string; seconds: number; algorithm_bandwidth: number; bus_bandwidth: number; }[];
}
export interface TimeStep extends AnswerHead {
  seconds: number;
  computing_seconds: number;
  exposed_seconds: number;
  bubble_seconds: number;
  level: "fluid" | "flit" | "loggops";
  hosts: number;
  ranks: number;
  data: number;
  micro_batches: number;
  parameters: number;
  link: number;
  phases: { name: string; algorithm: string; groups: number; ranks: number; bytes: number; times: number; seconds_each: number; seconds: number; exposed_seconds: number; }[];
}
export interface TimeProgram extends AnswerHead {
  seconds: number;
  critical_path_seconds: number;
  exposed_share?: number;
  level: "fluid" | "flit" | "loggops";
  hosts: number;
  ranks: number;
  operations: number;
  messages: number;
  bytes: number;
  link: number;
  flow_events: number;
  rails_policy?: string;
  rail_bytes?: number[][];
  cross_rail_share?: number;
  cross_rail_pairs?: number;
  cross_rail?: { source: number; destination: number; source_nic: string; destination_nic: string; }[];
  cycles?: number;
  algorithm?: string;
  unequal_sizes?: number;
  seconds_intact?: number;
  rerouted?: number;
  changes?: number;
  changes_later?: number;
  picture?: { chain_steps: number; computing_seconds: number; message_seconds: number; other_seconds: number; held_seconds: number; chain: { rank: number; to: number; line: number; kind: string; operation: string; begin: number; seconds: number; }[]; links: { from: string; port: string; to: string; seconds: number; }[]; ranks_of_row: number; computing: number[][]; sending: number[][]; waiting: number[][]; };
  moments?: { time: number; flows: number; channels: number[]; rates: number[]; }[];
}
export interface TimeLevels extends AnswerHead {
  hosts: number;
  ranks: number;
  operations: number;
  messages: number;
  bytes: number;
  link: number;
  rails_policy?: string;
  algorithm?: string;
  unequal_sizes?: number;
  levels: { level: "fluid" | "flit" | "loggops"; seconds: number; difference: number; critical_path_seconds: number; flow_events: number; cycles: number; cpu_seconds: number; }[];
}
export interface TimeJobs extends AnswerHead {
  seconds: number;
  mean_slowdown: number;
  max_slowdown: number;
  level: "fluid" | "flit" | "loggops";
  hosts: number;
  messages: number;
  bytes: number;
  link: number;
  flow_events: number;
  without_processors: number;
  without_time: number;
  rerouted?: number;
  changes?: number;
  changes_later?: number;
  rails_policy?: string;
  jobs: { job: number; ranks: number; submitted: number; start: number; end: number; seconds: number; seconds_alone: number; slowdown: number; }[];
}
export interface Fail extends AnswerHead {
  links_taken: number;
  host_links_taken: number;
  cables: string[];
  pairs_lost: number;
  host_pairs_lost?: number;
  rails_policy?: string;
  entries?: number;
  entries_changed?: number;
  hashes?: number;
  pairs_gained?: number;
  pairs_moved?: number;
  worth?: "same" | "better" | "worse" | "unclear";
  before: { yes: boolean; reachable: boolean; loop_free: boolean; minimal: boolean; deadlock_free: boolean; deadlock_proof: "none" | "acyclic" | "escape"; lanes: number; pairs: number; pair_scope: "all" | "rail"; disconnected_pairs: number; failing_pairs: number; longer_pairs: number; longest_excess: number; longest_path: number; average_path: number; idle_channels: number; idle_switches: number; max_destinations_per_channel: number; max_destinations_per_down_channel: number; counterexample: string | null; evidence: { kind: "lost" | "loop" | "deadlock" | "no-escape"; channels: number[]; lanes: number[]; sources: number[]; destinations: number[]; }[]; detour: string | null; max_load: number; max_load_half_width: number | null; max_load_worst: number; flows: number; undelivered: number; };
  after: { yes: boolean; reachable: boolean; loop_free: boolean; minimal: boolean; deadlock_free: boolean; deadlock_proof: "none" | "acyclic" | "escape"; lanes: number; pairs: number; pair_scope: "all" | "rail"; disconnected_pairs: number; failing_pairs: number; longer_pairs: number; longest_excess: number; longest_path: number; average_path: number; idle_channels: number; idle_switches: number; max_destinations_per_channel: number; max_destinations_per_down_channel: number; counterexample: string | null; evidence: { kind: "lost" | "loop" | "deadlock" | "no-escape"; channels: number[]; lanes: number[]; sources: number[]; destinations: number[]; }[]; detour: string | null; max_load: number; max_load_half_width: number | null; max_load_worst: number; flows: number; undelivered: number; };
}
export interface FailSweep extends AnswerHead {
  before: { yes: boolean; reachable: boolean; loop_free: boolean; minimal: boolean; deadlock_free: boolean; deadlock_proof: "none" | "acyclic" | "escape"; lanes: number; pairs: number; pair_scope: "all" | "rail"; disconnected_pairs: number; failing_pairs: number; longer_pairs: number; longest_excess: number; longest_path: number; average_path: number; idle_channels: number; idle_switches: number; max_destinations_per_channel: number; max_destinations_per_down_channel: number; counterexample: string | null; evidence: { kind: "lost" | "loop" | "deadlock" | "no-escape"; channels: number[]; lanes: number[]; sources: number[]; destinations: number[]; }[]; detour: string | null; };
  max_load?: number;
  max_load_worst?: number;
  undelivered?: number;
  samples?: number;
  device?: string;
  cables: { cable: string; yes?: boolean; pairs_lost?: number; max_destinations_per_channel?: number; max_destinations_per_down_channel?: number; entries_changed?: number; max_load?: number; max_load_worst?: number; undelivered?: number; not_applicable?: string; }[];
}
export interface FailCounters extends AnswerHead {
  ports: number;
  max_load: number;
  hashes?: number;
  cables: { cable: string; errors: number; counters: { port: string; counter: string; value: number; }[]; bytes?: number; load: number; max_load?: number; pairs_lost: number; not_applicable?: string; }[];
  uncabled: { port: string; counter: string; value: number; }[];
  by_port: { channel: number; port: string; errors: number; bytes?: number; }[];
}
export interface Simulate extends AnswerHead {
  options: { arrivals: "poisson" | "bernoulli" | "back-to-back"; sizes: "fixed" | "exponential"; load: number; burst: string; packet_flits: number; packet_lengths: string; reply_flits: number; reply_cycles: number; max_requests: number; message_packets: number; flit_bytes: number; reaction_cycles: number; rounds: "barrier" | "exchange" | "independent"; flow_control: "vct" | "wormhole"; lanes: number; buffer_flits: number; output_flits: number; writers: number; switch_cycles: number; queueing: "fifo" | "voq"; ejection: "finite" | "unlimited"; path_choice: "round-robin" | "in-message" | "random" | "message" | "recycled" | "flowlet"; mark_flits: number; path_memory: number; path_timeout: number; flowlet_gap: number; hop_view: "local" | "global"; hop_credits: "all" | "late"; hop_bias: number; allocator: string; crossing_cycles: number; input_speedup: number; switch_speedup: number; head_cycles: number; lane_cycles: number; speculation: "off" | "on"; switch_hold: "flit" | "packet"; priority: "none" | "age" | "class"; cycles: number; precision: number; max_cycles: number; warm_up: "error" | "change"; replicas: number; rails_policy?: string; stripe?: number; processes?: number; sends?: "queued" | "begun" | "awaited"; turns?: "host" | "process"; nic_messages?: number; bus?: "half" | "full"; bus_burst?: number; bus_turn?: number; control_flits?: number; nic_cycles?: number; timeout_cycles?: number; rail_dies?: string; trace?: string; link?: number; cable?: number; switch_delay?: number; };
  offered?: number;
  accepted?: number;
  accepted_half_width?: number | null;
  min_host_throughput?: number;
  max_host_throughput?: number;
  starved_hosts?: number;
  packet_latency: number | null;
  packet_latency_half_width: number | null;
  network_latency: number | null;
  packets_in_network: number;
  packet_latency_p50: number;
  packet_latency_p99: number;
  message_latency: number | null;
  message_latency_p50: number;
  message_latency_p99: number;
  packets: number;
  messages: number;
  flits: number;
  flit_hops: number;
  cycles: number;
  warm_up_cycles: number;
  saturated?: boolean;
  undecided?: boolean;
  ends_in_warm_up?: boolean;
  max_channel_utilisation: number;
  deadlock: boolean;
  waiting?: string;
  completion?: number;
  completed?: boolean;
  granularity: "automatic" | "flits" | "packets";
  replicas: number;
  min_host_throughput_half_width?: number;
  max_host_throughput_half_width?: number;
  starved_hosts_half_width?: number;
  packets_in_network_half_width?: number;
  network_latency_half_width?: number | null;
  packet_latency_p50_half_width?: number;
  packet_latency_p99_half_width?: number;
  message_latency_half_width?: number | null;
  message_latency_p50_half_width?: number;
  message_latency_p99_half_width?: number;
  max_channel_utilisation_half_width?: number;
  completion_half_width?: number;
  device?: string;
  cycle_seconds?: number;
  packet_latency_seconds?: number | null;
  packet_latency_seconds_half_width?: number | null;
  network_latency_seconds?: number | null;
  packet_latency_p50_seconds?: number;
  packet_latency_p99_seconds?: number;
  message_latency_seconds?: number | null;
  message_latency_p50_seconds?: number;
  message_latency_p99_seconds?: number;
  completion_seconds?: number;
}
export interface SimulateCurve extends AnswerHead {
  options: { arrivals: "poisson" | "bernoulli" | "back-to-back"; sizes: "fixed" | "exponential"; load: number; burst: string; packet_flits: number; packet_lengths: string; reply_flits: number; reply_cycles: number; max_requests: number; message_packets: number; flit_bytes: number; reaction_cycles: number; rounds: "barrier" | "exchange" | "independent"; flow_control: "vct" | "wormhole"; lanes: number; buffer_flits: number; output_flits: number; writers: number; switch_cycles: number; queueing: "fifo" | "voq"; ejection: "finite" | "unlimited"; path_choice: "round-robin" | "in-message" | "random" | "message" | "recycled" | "flowlet"; mark_flits: number; path_memory: number; path_timeout: number; flowlet_gap: number; hop_view: "local" | "global"; hop_credits: "all" | "late"; hop_bias: number; allocator: string; crossing_cycles: number; input_speedup: number; switch_speedup: number; head_cycles: number; lane_cycles: number; speculation: "off" | "on"; switch_hold: "flit" | "packet"; priority: "none" | "age" | "class"; cycles: number; precision: number; max_cycles: number; warm_up: "error" | "change"; replicas: number; rails_policy?: string; stripe?: number; processes?: number; sends?: "queued" | "begun" | "awaited"; turns?: "host" | "process"; nic_messages?: number; bus?: "half" | "full"; bus_burst?: number; bus_turn?: number; control_flits?: number; nic_cycles?: number; timeout_cycles?: number; rail_dies?: string; trace?: string; link?: number; cable?: number; switch_delay?: number; };
  device?: string;
  points: { load: number; offered?: number; accepted?: number; accepted_half_width?: number | null; min_host_throughput?: number; max_host_throughput?: number; starved_hosts?: number; packet_latency: number | null; packet_latency_half_width: number | null; network_latency: number | null; packets_in_network: number; packet_latency_p50: number; packet_latency_p99: number; message_latency: number | null; message_latency_p50: number; message_latency_p99: number; packets: number; messages: number; flits: number; flit_hops: number; cycles: number; warm_up_cycles: number; saturated?: boolean; undecided?: boolean; ends_in_warm_up?: boolean; max_channel_utilisation: number; deadlock: boolean; waiting?: string; completion?: number; completed?: boolean; granularity: "automatic" | "flits" | "packets"; replicas: number; min_host_throughput_half_width?: number; max_host_throughput_half_width?: number; starved_hosts_half_width?: number; packets_in_network_half_width?: number; network_latency_half_width?: number | null; packet_latency_p50_half_width?: number; packet_latency_p99_half_width?: number; message_latency_half_width?: number | null; message_latency_p50_half_width?: number; message_latency_p99_half_width?: number; max_channel_utilisation_half_width?: number; completion_half_width?: number; device?: string; cycle_seconds?: number; packet_latency_seconds?: number | null; packet_latency_seconds_half_width?: number | null; network_latency_seconds?: number | null; packet_latency_p50_seconds?: number; packet_latency_p99_seconds?: number; message_latency_seconds?: number | null; message_latency_p50_seconds?: number; message_latency_p99_seconds?: number; completion_seconds?: number; }[];
}
export interface SimulateSaturation extends AnswerHead {
  options: { arrivals: "poisson" | "bernoulli" | "back-to-back"; sizes: "fixed" | "exponential"; load: number; burst: string; packet_flits: number; packet_lengths: string; reply_flits: number; reply_cycles: number; max_requests: number; message_packets: number; flit_bytes: number; reaction_cycles: number; rounds: "barrier" | "exchange" | "independent"; flow_control: "vct" | "wormhole"; lanes: number; buffer_flits: number; output_flits: number; writers: number; switch_cycles: number; queueing: "fifo" | "voq"; ejection: "finite" | "unlimited"; path_choice: "round-robin" | "in-message" | "random" | "message" | "recycled" | "flowlet"; mark_flits: number; path_memory: number; path_timeout: number; flowlet_gap: number; hop_view: "local" | "global"; hop_credits: "all" | "late"; hop_bias: number; allocator: string; crossing_cycles: number; input_speedup: number; switch_speedup: number; head_cycles: number; lane_cycles: number; speculation: "off" | "on"; switch_hold: "flit" | "packet"; priority: "none" | "age" | "class"; cycles: number; precision: number; max_cycles: number; warm_up: "error" | "change"; replicas: number; rails_policy?: string; stripe?: number; processes?: number; sends?: "queued" | "begun" | "awaited"; turns?: "host" | "process"; nic_messages?: number; bus?: "half" | "full"; bus_burst?: number; bus_turn?: number; control_flits?: number; nic_cycles?: number; timeout_cycles?: number; rail_dies?: string; trace?: string; link?: number; cable?: number; switch_delay?: number; };
  device?: string;
  saturation_load: number;
  accepted: number;
  undecided: boolean;
  points: { load: number; offered?: number; accepted?: number; accepted_half_width?: number | null; min_host_throughput?: number; max_host_throughput?: number; starved_hosts?: number; packet_latency: number | null; packet_latency_half_width: number | null; network_latency: number | null; packets_in_network: number; packet_latency_p50: number; packet_latency_p99: number; message_latency: number | null; message_latency_p50: number; message_latency_p99: number; packets: number; messages: number; flits: number; flit_hops: number; cycles: number; warm_up_cycles: number; saturated?: boolean; undecided?: boolean; ends_in_warm_up?: boolean; max_channel_utilisation: number; deadlock: boolean; waiting?: string; completion?: number; completed?: boolean; granularity: "automatic" | "flits" | "packets"; replicas: number; min_host_throughput_half_width?: number; max_host_throughput_half_width?: number; starved_hosts_half_width?: number; packets_in_network_half_width?: number; network_latency_half_width?: number | null; packet_latency_p50_half_width?: number; packet_latency_p99_half_width?: number; message_latency_half_width?: number | null; message_latency_p50_half_width?: number; message_latency_p99_half_width?: number; max_channel_utilisation_half_width?: number; completion_half_width?: number; device?: string; cycle_seconds?: number; packet_latency_seconds?: number | null; packet_latency_seconds_half_width?: number | null; network_latency_seconds?: number | null; packet_latency_p50_seconds?: number; packet_latency_p99_seconds?: number; message_latency_seconds?: number | null; message_latency_p50_seconds?: number; message_latency_p99_seconds?: number; completion_seconds?: number; }[];
}
export interface SimulateFollow {
  now?: number;
  cycles?: number;
  offered?: number;
  accepted?: number;
  packets?: number;
  packet_latency?: number;
  packet_latency_p99?: number;
  packet_latency_seconds?: number;
  channel_per_mille?: number[];
  point?: { load: number; offered?: number; accepted?: number; accepted_half_width?: number | null; min_host_throughput?: number; max_host_throughput?: number; starved_hosts?: number; packet_latency: number | null; packet_latency_half_width: number | null; network_latency: number | null; packets_in_network: number; packet_latency_p50: number; packet_latency_p99: number; message_latency: number | null; message_latency_p50: number; message_latency_p99: number; packets: number; messages: number; flits: number; flit_hops: number; cycles: number; warm_up_cycles: number; saturated?: boolean; undecided?: boolean; ends_in_warm_up?: boolean; max_channel_utilisation: number; deadlock: boolean; waiting?: string; completion?: number; completed?: boolean; granularity: "automatic" | "flits" | "packets"; replicas: number; min_host_throughput_half_width?: number; max_host_throughput_half_width?: number; starved_hosts_half_width?: number; packets_in_network_half_width?: number; network_latency_half_width?: number | null; packet_latency_p50_half_width?: number; packet_latency_p99_half_width?: number; message_latency_half_width?: number | null; message_latency_p50_half_width?: number; message_latency_p99_half_width?: number; max_channel_utilisation_half_width?: number; completion_half_width?: number; device?: string; cycle_seconds?: number; packet_latency_seconds?: number | null; packet_latency_seconds_half_width?: number | null; network_latency_seconds?: number | null; packet_latency_p50_seconds?: number; packet_latency_p99_seconds?: number; message_latency_seconds?: number | null; message_latency_p50_seconds?: number; message_latency_p99_seconds?: number; completion_seconds?: number; };
  answer?: { version: string; seed: number; fabric?: string; engine?: string; tables?: string; nic?: string; traffic?: string; options: { arrivals: "poisson" | "bernoulli" | "back-to-back"; sizes: "fixed" | "exponential"; load: number; burst: string; packet_flits: number; packet_lengths: string; reply_flits: number; reply_cycles: number; max_requests: number; message_packets: number; flit_bytes: number; reaction_cycles: number; rounds: "barrier" | "exchange" | "independent"; flow_control: "vct" | "wormhole"; lanes: number; buffer_flits: number; output_flits: number; writers: number; switch_cycles: number; queueing: "fifo" | "voq"; ejection: "finite" | "unlimited"; path_choice: "round-robin" | "in-message" | "random" | "message" | "recycled" | "flowlet"; mark_flits: number; path_memory: number; path_timeout: number; flowlet_gap: number; hop_view: "local" | "global"; hop_credits: "all" | "late"; hop_bias: number; allocator: string; crossing_cycles: number; input_speedup: number; switch_speedup: number; head_cycles: number; lane_cycles: number; speculation: "off" | "on"; switch_hold: "flit" | "packet"; priority: "none" | "age" | "class"; cycles: number; precision: number; max_cycles: number; warm_up: "error" | "change"; replicas: number; rails_policy?: string; stripe?: number; processes?: number; sends?: "queued" | "begun" | "awaited"; turns?: "host" | "process"; nic_messages?: number; bus?: "half" | "full"; bus_burst?: number; bus_turn?: number; control_flits?: number; nic_cycles?: number; timeout_cycles?: number; rail_dies?: string; trace?: string; link?: number; cable?: number; switch_delay?: number; }; offered?: number; accepted?: number; accepted_half_width?: number | null; min_host_throughput?: number; max_host_throughput?: number; starved_hosts?: number; packet_latency: number | null; packet_latency_half_width: number | null; network_latency: number | null; packets_in_network: number; packet_latency_p50: number; packet_latency_p99: number; message_latency: number | null; message_latency_p50: number; message_latency_p99: number; packets: number; messages: number; flits: number; flit_hops: number; cycles: number; warm_up_cycles: number; saturated?: boolean; undecided?: boolean; ends_in_warm_up?: boolean; max_channel_utilisation: number; deadlock: boolean; waiting?: string; completion?: number; completed?: boolean; granularity: "automatic" | "flits" | "packets"; replicas: number; min_host_throughput_half_width?: number; max_host_throughput_half_width?: number; starved_hosts_half_width?: number; packets_in_network_half_width?: number; network_latency_half_width?: number | null; packet_latency_p50_half_width?: number; packet_latency_p99_half_width?: number; message_latency_half_width?: number | null; message_latency_p50_half_width?: number; message_latency_p99_half_width?: number; max_channel_utilisation_half_width?: number; completion_half_width?: number; device?: string; cycle_seconds?: number; packet_latency_seconds?: number | null; packet_latency_seconds_half_width?: number | null; network_latency_seconds?: number | null; packet_latency_p50_seconds?: number; packet_latency_p99_seconds?: number; message_latency_seconds?: number | null; message_latency_p50_seconds?: number; message_latency_p99_seconds?: number; completion_seconds?: number; };
  curve?: { version: string; seed: number; fabric?: string; engine?: string; tables?: string; nic?: string; traffic?: string; options: { arrivals: "poisson" | "bernoulli" | "back-to-back"; sizes: "fixed" | "exponential"; load: number; burst: string; packet_flits: number; packet_lengths: string; reply_flits: number; reply_cycles: number; max_requests: number; message_packets: number; flit_bytes: number; reaction_cycles: number; rounds: "barrier" | "exchange" | "independent"; flow_control: "vct" | "wormhole"; lanes: number; buffer_flits: number; output_flits: number; writers: number; switch_cycles: number; queueing: "fifo" | "voq"; ejection: "finite" | "unlimited"; path_choice: "round-robin" | "in-message" | "random" | "message" | "recycled" | "flowlet"; mark_flits: number; path_memory: number; path_timeout: number; flowlet_gap: number; hop_view: "local" | "global"; hop_credits: "all" | "late"; hop_bias: number; allocator: string; crossing_cycles: number; input_speedup: number; switch_speedup: number; head_cycles: number; lane_cycles: number; speculation: "off" | "on"; switch_hold: "flit" | "packet"; priority: "none" | "age" | "class"; cycles: number; precision: number; max_cycles: number; warm_up: "error" | "change"; replicas: number; rails_policy?: string; stripe?: number; processes?: number; sends?: "queued" | "begun" | "awaited"; turns?: "host" | "process"; nic_messages?: number; bus?: "half" | "full"; bus_burst?: number; bus_turn?: number; control_flits?: number; nic_cycles?: number; timeout_cycles?: number; rail_dies?: string; trace?: string; link?: number; cable?: number; switch_delay?: number; }; device?: string; points: { load: number; offered?: number; accepted?: number; accepted_half_width?: number | null; min_host_throughput?: number; max_host_throughput?: number; starved_hosts?: number; packet_latency: number | null; packet_latency_half_width: number | null; network_latency: number | null; packets_in_network: number; packet_latency_p50: number; packet_latency_p99: number; message_latency: number | null; message_latency_p50: number; message_latency_p99: number; packets: number; messages: number; flits: number; flit_hops: number; cycles: number; warm_up_cycles: number; saturated?: boolean; undecided?: boolean; ends_in_warm_up?: boolean; max_channel_utilisation: number; deadlock: boolean; waiting?: string; completion?: number; completed?: boolean; granularity: "automatic" | "flits" | "packets"; replicas: number; min_host_throughput_half_width?: number; max_host_throughput_half_width?: number; starved_hosts_half_width?: number; packets_in_network_half_width?: number; network_latency_half_width?: number | null; packet_latency_p50_half_width?: number; packet_latency_p99_half_width?: number; message_latency_half_width?: number | null; message_latency_p50_half_width?: number; message_latency_p99_half_width?: number; max_channel_utilisation_half_width?: number; completion_half_width?: number; device?: string; cycle_seconds?: number; packet_latency_seconds?: number | null; packet_latency_seconds_half_width?: number | null; network_latency_seconds?: number | null; packet_latency_p50_seconds?: number; packet_latency_p99_seconds?: number; message_latency_seconds?: number | null; message_latency_p50_seconds?: number; message_latency_p99_seconds?: number; completion_seconds?: number; }[]; };
}
export interface SimulateNic extends AnswerHead {
  options: { link_rate: number; switch_latency: number; wire_latency: number; lane_flits: number; block_bytes: number; packet_blocks: number; packet_overhead: number; block_overhead: number; ageing: number; write_rate: number; read_rate: number; bus_rate: number; spread: number; card_rate: number; read_latency: number; command: number; dma: number; input: number; event: number; slice: number; barrier: number; match: number; mpi: number; copy_rate: number; inline: number; eager: number; };
  results: { title: string; columns: string[]; rows: string[][]; }[];
}
export interface Diff extends AnswerHead {
  same: number;
  dead_switches: { name: string; cables: number; }[];
  absent_nodes: string[];
  unknown_nodes: string[];
  missing: { from: string; from_port: number | string; to: string; to_port: number | string; }[];
  extra: { from: string; from_port: number | string; to: string; to_port: number | string; }[];
  swapped: { observed: { from: string; from_port: number | string; to: string; to_port: number | string; }[]; planned: { from: string; from_port: number | string; to: string; to_port: number | string; }[]; }[];
  unrepairable: number;
  moves: { kind: "replug" | "lay" | "take_away"; fixed: string; from?: string; to: string; in_hand: boolean; text: string; }[];
}
