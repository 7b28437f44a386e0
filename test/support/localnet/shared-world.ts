import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';

const START_MS = Date.UTC(2026, 5, 15, 13, 20);

let shared: WorldChain | undefined;

/** The generated world on an afternoon, made once per worker; benches write to an overlay of it. */
export function sharedWorld(): WorldChain {
  shared ??= createWorldChain({ now: () => START_MS });
  return shared;
}
