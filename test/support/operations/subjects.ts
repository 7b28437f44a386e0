import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import type { UnchangedChain } from '../../../packages/localnet/test/support/chain/test-world.ts';

/** Everything in the generated world that requests can address, taken from the world and not from the gateway. */
export interface Subjects {
  readonly addresses: WorldAddresses;
  readonly vaults: readonly {
    readonly address: string;
    readonly sharesMint: string;
    readonly admin: string;
  }[];
  readonly markets: readonly string[];
  readonly reserves: readonly { readonly address: string; readonly market: string; readonly mint: string }[];
  /** Wallets with positions of every kind. */
  readonly wallets: readonly string[];
  /** Of every tag, state and market, with and without rewards. */
  readonly obligations: readonly {
    readonly address: string;
    readonly owner: string;
    readonly market: string;
  }[];
  readonly mints: readonly string[];
}

type World = UnchangedChain['worldChain']['world'];

/** Items that together have every trait: those with the most new ones first. */
function ofEveryTrait<T>(list: readonly T[], traitsOf: (item: T) => readonly string[]): T[] {
  const seen = new Set<string>();
  const withNew = (count: number) =>
    list.filter((item) => {
      const fresh = traitsOf(item).filter((trait) => !seen.has(trait));
      if (fresh.length < count) return false;
      for (const trait of fresh) seen.add(trait);
      return true;
    });
  return [3, 2, 1].flatMap(withNew);
}

const walletTraits = ({ vaults, obligations, stakes, lookupTable }: World['wallets'][number]) => [
  [vaults.length > 0, obligations.some(({ exists }) => exists), stakes.size > 0, lookupTable !== null].join(),
];

/** The catalogue has a campaign for deposits of the first reserve and one for debts of the second. */
function obligationTraits(obligation: World['obligations'][number], [first, second]: World['reserves']) {
  const { key, deposits, borrows, group, stakes, market } = obligation;
  const [supplied, owed] = [deposits, borrows].map((slots) => slots.some((slot) => slot !== null));
  const rewards = [
    deposits.some((each) => each?.reserve === first),
    borrows.some((each) => each?.reserve === second),
  ];
  return [
    `state ${[key.tag, supplied, owed, group > 0, stakes.size > 0].join()}`,
    `market ${market.address}`,
    `rewards ${rewards.join()}`,
  ];
}

export function subjectsOf({ addresses, worldChain: { world } }: UnchangedChain): Subjects {
  const existing = world.obligations.filter(({ exists }) => exists);
  const own = existing.filter(({ address }) => address === addresses.obligation);
  const obligations = ofEveryTrait([...own, ...existing], (each) => obligationTraits(each, world.reserves));
  const owners = obligations.map(({ owner }) => owner);
  // Keepers have thousands of transactions and no positions.
  const others = world.wallets.filter(({ reserved }) => !reserved);
  const wallets = ofEveryTrait([...owners, ...others], walletTraits).map(({ address }) => address);
  return {
    addresses,
    vaults: world.vaults.map(({ address, sharesMint, admin }) => ({
      address,
      sharesMint: sharesMint.address,
      admin,
    })),
    markets: world.markets.map(({ address }) => address),
    reserves: world.reserves.map(({ address, market, token }) => ({
      address,
      market: market.address,
      mint: token.mint.address,
    })),
    wallets: [...new Set([addresses.wallet, addresses.emptyWallet, ...wallets])],
    obligations: obligations.map(({ address, owner, market }) => ({
      address,
      owner: owner.address,
      market: market.address,
    })),
    mints: world.tokens.map(({ mint }) => mint.address),
  };
}
