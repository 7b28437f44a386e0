import { startEmbeddedChain } from '../../src/demo/embedded-chain.ts';
import { serveParent } from './worker.ts';

/** What the parent is told when the chain answers. */
export interface StillChain {
  readonly url: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly size: { readonly vaults: number; readonly reserves: number; readonly markets: number };
  /** Wallets with vault shares and with loans, in a fixed order. */
  readonly wallets: readonly string[];
  readonly vaults: readonly string[];
  readonly markets: readonly string[];
}

/**
 * The embedded chain with its clock stopped: `still-chain.js SCALE`. Whoever asks, and whenever, is told the same, so
 * that the answers of all contenders can be compared to the last digit.
 */
const stoppedAt = Date.now();
const chain = await startEmbeddedChain({ scale: Number(process.argv[2] ?? '1'), now: () => stoppedAt });
const { world } = chain.ledger;
const told: StillChain = {
  url: chain.rpc.url,
  addresses: { ...chain.addresses },
  size: {
    vaults: world.vaults.length,
    reserves: world.reserves.length,
    markets: world.markets.length,
  },
  wallets: world.wallets
    .filter(({ vaults, obligations }) => vaults.length > 0 && obligations.some(({ exists }) => exists))
    .map(({ address }) => address),
  vaults: world.vaults.map(({ address }) => address),
  markets: world.markets.map(({ address }) => address),
};
serveParent(told, {});
