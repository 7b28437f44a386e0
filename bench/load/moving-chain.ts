import type { WorldChain } from '@sluice/localnet/world/world-chain';

/** Addresses that a load names. */
export interface DescribedWorld {
  readonly addresses: Readonly<Record<string, string>>;
  readonly wallets: readonly string[];
  readonly obligations: readonly string[];
  readonly vaults: readonly string[];
  readonly reserves: readonly string[];
  readonly markets: readonly string[];
}

/** A localnet in a process of its own: sent to the parent when the chain is ready. */
export interface MovingChain extends DescribedWorld {
  readonly url: string;
  readonly wsUrl: string;
  readonly catalogue: unknown;
}

const addressesOf = (list: readonly { readonly address: string }[]) => list.map(({ address }) => address);

export function describedWorld({ addresses, world }: WorldChain): DescribedWorld {
  return {
    addresses: { ...addresses },
    wallets: addressesOf(world.wallets),
    obligations: addressesOf(world.obligations.filter(({ exists }) => exists)),
    vaults: addressesOf(world.vaults),
    reserves: addressesOf(world.reserves),
    markets: addressesOf(world.markets),
  };
}
