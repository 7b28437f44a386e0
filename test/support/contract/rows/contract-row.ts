import type { DemoAddresses } from '../../../../src/demo/demo-addresses.ts';
import type { UnchangedLedger } from '../../ledger/test-ledger.ts';
import type { Shape } from '../field-shapes.ts';

/** Everything in the embedded world that requests can address, taken from the world and not from the gateway. */
export interface Subjects {
  readonly addresses: DemoAddresses;
  readonly vaults: readonly { readonly address: string; readonly sharesMint: string }[];
  readonly markets: readonly string[];
  readonly reserves: readonly { readonly address: string; readonly market: string; readonly mint: string }[];
  /** Wallets with positions of many kinds. */
  readonly wallets: readonly string[];
  readonly obligations: readonly {
    readonly address: string;
    readonly owner: string;
    readonly market: string;
  }[];
  readonly mints: readonly string[];
}

/** One request. A string body is sent unchanged, anything else as JSON. */
export interface Ask {
  readonly url: string;
  readonly body?: unknown;
}

/** A documented error and a request that causes it. */
export interface Refusal {
  readonly name: string;
  readonly ask: Ask;
  readonly status: number;
  /** In `X-Error-Code` on reads, in the body on builders. Omitted where the contract names none. */
  readonly code?: string;
  /** The invalid parameter, which one of the `details` names. */
  readonly at?: string;
}

/** The specification of one operation. */
export interface ContractRow {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly answer: Shape | 'image/svg+xml';
  readonly asks: (subjects: Subjects) => readonly Ask[];
  readonly refusals: (subjects: Subjects) => readonly Refusal[];
}

/** Number of wallets and obligations requested: enough for every kind. */
const MANY = 30;

/** Every n-th item, so that all parts of a list are covered. */
function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, i) => i % step === 0).slice(0, count);
}

export function subjectsOf({ addresses, demo: { world } }: UnchangedLedger): Subjects {
  const obligations = world.obligations
    .filter(({ exists }) => exists)
    .map(({ address, owner, market }) => ({ address, owner: owner.address, market: market.address }));
  return {
    addresses,
    vaults: world.vaults.map(({ address, sharesMint }) => ({ address, sharesMint: sharesMint.address })),
    markets: world.markets.map(({ address }) => address),
    reserves: world.reserves.map(({ address, market, token }) => ({
      address,
      market: market.address,
      mint: token.mint.address,
    })),
    wallets: [
      addresses.wallet,
      addresses.emptyWallet,
      ...spread(world.wallets, MANY).map(({ address }) => address),
    ],
    obligations: [
      { address: addresses.obligation, owner: addresses.wallet, market: addresses.market },
      ...spread(obligations, MANY),
    ],
    mints: world.tokens.map(({ mint }) => mint.address),
  };
}
