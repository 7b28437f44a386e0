import { MAX_SLOT_LAG } from '@sluice/rpc-pool';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { Config } from '../../config/config.ts';
import type { Cluster } from '../../config/settings.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { ask, type Outcome, type Target } from './probe.ts';
import { counted } from './report.ts';

const GENESIS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
};
const LATENCY_SAMPLES = 5;
/** A nested query takes one RPC round per level outside the View, so users notice slower endpoints. */
const SLOW_MS = 500;

export interface CheckedEndpoint {
  readonly alive: boolean;
  /** The public cluster that it serves; null for another chain, or when it does not say. */
  readonly served: string | null;
  readonly findings: readonly Finding[];
}

/** Checks that an endpoint answers, how fast, with which version, and for the configured cluster. */
export async function checkEndpoint(target: Target, config: Config): Promise<CheckedEndpoint> {
  const { name } = target;
  const slots = await ask(target, config, (rpc) => sampleLatency(rpc));
  if (!slots.answered) {
    const says = `It does not answer (${slots.reason}). Check the URL and its key in SOLANA_RPC_URLS, or remove it.`;
    return { alive: false, served: null, findings: [fault(name, 'answers', says)] };
  }
  const latencyMs = Math.round(slots.value);
  const speed =
    latencyMs > SLOW_MS
      ? warning(name, 'answers', `It takes ${latencyMs} ms. Choose a closer endpoint.`, { latencyMs })
      : ok(name, 'answers', `It takes ${latencyMs} ms.`, { latencyMs });
  const genesis = await ask(target, config, (rpc) => rpc.getGenesisHash().send());
  const findings = [speed, cluster(target, config, genesis), await version(target, config)];
  return { alive: true, served: genesis.answered ? (GENESIS[genesis.value] ?? null) : null, findings };
}

/** Median time of a small call over an open connection. */
async function sampleLatency(rpc: Rpc<SolanaRpcApi>): Promise<number> {
  await rpc.getSlot().send();
  const samples: number[] = [];
  for (let i = 0; i < LATENCY_SAMPLES; i += 1) {
    const startedAt = performance.now();
    await rpc.getSlot().send();
    samples.push(performance.now() - startedAt);
  }
  return samples.sort((a, b) => a - b)[Math.floor(LATENCY_SAMPLES / 2)] ?? 0;
}

function cluster(target: Target, config: Config, genesis: Outcome<string>): Finding {
  if (!genesis.answered) {
    const says = `It does not return its genesis hash (${genesis.reason}). Verify that it serves ${config.SOLANA_CLUSTER}.`;
    return warning(target.name, 'cluster', says);
  }
  return clusterFinding(target.name, genesis.value, config.SOLANA_CLUSTER);
}

/** Any chain other than the public ones counts as a localnet. */
export function clusterFinding(name: string, genesis: string, wanted: Cluster): Finding {
  const served = GENESIS[genesis];
  if (served === wanted || (served === undefined && wanted === 'localnet')) {
    return ok(name, 'cluster', `It serves ${wanted}.`);
  }
  const says = `It serves ${served ?? 'a chain that is not a public cluster'}, but SOLANA_CLUSTER is ${wanted}. Correct one of the two.`;
  return fault(name, 'cluster', says);
}

async function version(target: Target, config: Config): Promise<Finding> {
  const answer = await ask(target, config, (rpc) => rpc.getVersion().send());
  return answer.answered
    ? ok(target.name, 'version', `It runs version ${answer.value['solana-core']}.`)
    : warning(
        target.name,
        'version',
        `It does not return its version (${answer.reason}). The gateway does not need it.`,
      );
}

/** Compares the slots of all endpoints, requested at the same time. */
export async function checkLag(targets: readonly Target[], config: Config): Promise<Finding[]> {
  const commitment = config.SOLANA_COMMITMENT;
  const slots = await Promise.all(
    targets.map(async (target) => {
      const answer = await ask(target, config, (rpc) => rpc.getSlot({ commitment }).send());
      return { target, slot: answer.answered ? answer.value : null };
    }),
  );
  const newest = slots.reduce((most, { slot }) => (slot !== null && slot > most ? slot : most), 0n);
  return slots.map(({ target: { name }, slot }) => {
    if (slot === null)
      return warning(name, 'slot', 'It stopped answering during the check. Run the check again.');
    const lag = Number(newest - slot);
    const figures = { slot: Number(slot), lag };
    if (lag > MAX_SLOT_LAG) {
      const says = `It is ${counted(lag, 'slot')} behind the newest endpoint; the gateway avoids it beyond ${MAX_SLOT_LAG}. Contact its provider, or remove it.`;
      return warning(name, 'slot', says, figures);
    }
    const says =
      lag === 0 ? `It is at slot ${slot}, the newest known.` : `It is ${counted(lag, 'slot')} behind.`;
    return ok(name, 'slot', says, figures);
  });
}
