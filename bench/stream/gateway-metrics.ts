/** Counters of a gateway since its start. */
export class GatewayMetrics {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static async of(origin: string): Promise<GatewayMetrics> {
    return new GatewayMetrics(await (await fetch(`${origin}/metrics`)).text());
  }

  /** Sum over all labels, or those that contain `labels`; 0 when there are none. */
  sum(name: string, labels = ''): number {
    return this.#text
      .split('\n')
      .filter((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(labels))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  get cpuSeconds(): number {
    return this.sum('process_cpu_seconds_total');
  }

  get residentBytes(): number {
    return this.sum('process_resident_memory_bytes');
  }

  get rpcCalls(): number {
    return this.sum('sluice_rpc_calls_total');
  }

  get rpcBytes(): number {
    return this.sum('sluice_rpc_bytes_total');
  }

  /** Counts of GraphQL answers by the upper bound of their time in seconds, cumulative. */
  get answerTimes(): ReadonlyMap<number, number> {
    const line = /^sluice_http_request_duration_seconds_bucket\{le="([\d.]+)",route="\/graphql"\} (\d+)/gm;
    return new Map([...this.#text.matchAll(line)].map(([, bound, count]) => [Number(bound), Number(count)]));
  }
}

/** Milliseconds below which half of the answers between two readings were ready: interpolated within a bucket. */
export function medianAnswerMs(before: GatewayMetrics, after: GatewayMetrics): number {
  const grown = [...after.answerTimes].map(
    ([bound, count]) => [bound, count - (before.answerTimes.get(bound) ?? 0)] as const,
  );
  const half = (grown.at(-1)?.[1] ?? 0) / 2;
  let [lower, below] = [0, 0];
  for (const [bound, count] of grown) {
    if (count >= half && count > below)
      return (lower + ((bound - lower) * (half - below)) / (count - below)) * 1e3;
    [lower, below] = [bound, count];
  }
  return Number.NaN;
}
