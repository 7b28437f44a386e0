import { startGeyserServer } from '@sluice/localnet/geyser/server';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import type { Address } from '@solana/kit';
import { serveParent } from '../peers/worker.ts';
import { obligationOf, People, walletOf } from './people.ts';
import { type Movement, PeopledChain } from './peopled-chain.ts';

/** Sent to the parent when the chain is ready. */
export interface StreamedChain {
  readonly rpcUrl: string;
  readonly geyserUrl: string;
  readonly size: { readonly vaults: number; readonly reserves: number; readonly markets: number };
}

/** A wallet and an account of it, which an answer about it must have. */
export interface Person {
  readonly wallet: string;
  readonly obligation: string;
}

export interface ChainProgress {
  readonly slot: number;
  /** Changed accounts since the start, each once per slot. */
  readonly changes: number;
}

/** A localnet with the accounts of many wallets: `chain-process.js SCALE OBLIGATIONS SHARES`. */
const [scale = 1, obligations = 0, shares = 0] = process.argv.slice(2).map(Number);
const world = createWorldChain({ scale, now: Date.now });
const people = new People({ obligations, shares }, world.world.reserves, world.world.vaults);
const chain = new PeopledChain(world, people);
const geyser = await startGeyserServer(chain);
const rpc = await startRpcServer(chain);
world.start();

const description: StreamedChain = {
  rpcUrl: rpc.url,
  geyserUrl: geyser.url,
  size: {
    vaults: world.world.vaults.length,
    reserves: world.world.reserves.length,
    markets: world.world.markets.length,
  },
};

serveParent(description, {
  move(movement: Movement) {
    chain.movement = movement;
  },
  watch(addresses: readonly Address[]) {
    chain.watched = addresses;
  },
  writes: () => chain.takeWrites(),
  progress: (): ChainProgress => ({ slot: Number(chain.slot), changes: chain.changes }),
  people: ({ from, count }: { readonly from: number; readonly count: number }): Person[] =>
    Array.from({ length: count }, (_, i) => ({
      wallet: walletOf(from + i),
      obligation: obligationOf(from + i),
    })),
});
