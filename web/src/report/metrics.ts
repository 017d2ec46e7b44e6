// What a metric is called and which way is better. Others are shown by their own names.
export interface Metric {
  name: string;
  better: "less" | "more" | "neither";
}

const known: Record<string, Metric> = {
  max_load: { name: "heaviest load of a channel", better: "less" },
  ratio: { name: "heaviest load over the least possible", better: "less" },
  worst_shift_load: { name: "worst load over all shifts", better: "less" },
  mean_rate: { name: "mean rate of a flow", better: "more" },
  min_rate: { name: "least rate of a flow", better: "more" },
  accepted: { name: "accepted throughput", better: "more" },
  saturation_load: { name: "load where it saturates", better: "more" },
  completion: { name: "time to completion", better: "less" },
  packet_latency: { name: "mean packet latency", better: "less" },
  packet_latency_p99: { name: "99th percentile of packet latency", better: "less" },
  message_latency: { name: "mean message latency", better: "less" },
  money: { name: "cost", better: "less" },
  watts: { name: "power", better: "less" },
  yes: { name: "verdict", better: "more" },
};

export function metric(name: string): Metric {
  return known[name] ?? { name: name.replace(/_/g, " "), better: "neither" };
}

// The metrics of a measure that are compared, the first of them above all.
export function compared(measure: string, headline: string): string[] {
  if (measure === "simulate") return ["accepted", "completion", "packet_latency"];
  return headline ? [headline] : [];
}
