import type { Random } from '@sluice/localnet/world/prng';
import { nth } from './cast.ts';
import { type Knobs, varied } from './knobs.ts';

export interface Found<R> {
  readonly knobs: Knobs;
  readonly reading: R;
}

export interface Goal<R, G extends string> {
  readonly name: G;
  readonly of: (reading: R) => number;
}

export interface ClimbOptions<R, G extends string> {
  readonly starts: readonly Knobs[];
  /** The knobs made permissible; null when no request is. */
  readonly permissible: (knobs: Knobs) => Knobs | null;
  readonly measure: (knobs: Knobs) => Promise<R>;
  /** What to maximise, each on its own. */
  readonly goals: readonly Goal<R, G>[];
  readonly random: Random;
  /** Whether to go on after this many measurements. */
  readonly goesOn: (measured: number) => boolean;
}

/**
 * Hill climbing: measures the starts, then varies the best setting of each goal in turn. Every measurement counts for
 * every goal. A setting that was measured is not measured again.
 */
export async function climb<R, G extends string>({
  starts,
  permissible,
  measure,
  goals,
  random,
  goesOn,
}: ClimbOptions<R, G>): Promise<Map<G, Found<R>>> {
  const best = new Map<G, Found<R>>();
  const seen = new Set<string>();
  const tryOut = async (wanted: Knobs): Promise<void> => {
    const knobs = permissible(wanted);
    if (knobs === null || seen.has(JSON.stringify(knobs))) return;
    seen.add(JSON.stringify(knobs));
    const found = { knobs, reading: await measure(knobs) };
    for (const { name, of } of goals) {
      const known = best.get(name);
      if (known === undefined || of(found.reading) > of(known.reading)) best.set(name, found);
    }
  };
  let tries = 0;
  for (const start of starts) {
    if (tries > 0 && !goesOn(tries)) break;
    tries += 1;
    await tryOut(start);
  }
  while (best.size > 0 && goesOn(tries)) {
    tries += 1;
    const from = best.get(nth(goals, tries).name);
    if (from !== undefined) await tryOut(varied(from.knobs, random));
  }
  return best;
}
