import type { World } from '@sluice/localnet/world/world';

/** Kinds of addresses that arguments take. */
export const ADDRESS_KINDS = [
  'wallet',
  'vault',
  'curator',
  'market',
  'reserve',
  'debt',
  'obligation',
  'mint',
  'priced',
  'table',
] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** Addresses of each kind that belong together: the owner, market and reserve of one obligation. */
export type Member = Readonly<Record<AddressKind, string>>;

/** The addresses that generated requests name. */
export interface Cast {
  readonly members: readonly Member[];
  /** All addresses of each kind, each once. */
  readonly all: Readonly<Record<AddressKind, readonly string[]>>;
}

/** The wallets of a world with what belongs to them, those with most positions first. */
export function castOf({ wallets, vaults, markets, reserves, obligations, tokens }: World): Cast {
  const existing = obligations.filter(({ exists }) => exists);
  const positions = (wallet: (typeof wallets)[number]) => wallet.vaults.length + wallet.obligations.length;
  const busiest = [...wallets].sort((a, b) => positions(b) - positions(a));
  const addresses = (list: readonly { readonly address: string }[]) => list.map(({ address }) => address);
  const members = busiest.map((wallet, i): Member => {
    const vault = wallet.vaults[0] ?? nth(vaults, i);
    const obligation = wallet.obligations.find(({ exists }) => exists) ?? nth(existing, i);
    const { market } = obligation;
    const reserve = obligation.deposits.find((each) => each !== null)?.reserve ?? nth(market.reserves, i);
    const debt = obligation.borrows.find((each) => each !== null)?.reserve ?? nth(market.reserves, i + 1);
    return {
      wallet: wallet.address,
      vault: vault.address,
      curator: vault.admin,
      market: market.address,
      reserve: reserve.address,
      debt: debt.address,
      obligation: obligation.address,
      mint: vault.token.mint.address,
      priced: reserve.token.mint.address,
      table: vault.lookupTable,
    };
  });
  return {
    members,
    all: {
      wallet: addresses(busiest),
      vault: addresses(vaults),
      curator: vaults.map(({ admin }) => admin),
      market: addresses(markets),
      reserve: addresses(reserves),
      debt: addresses(reserves),
      obligation: addresses(existing),
      mint: [
        ...tokens.map(({ mint }) => mint.address),
        ...vaults.map(({ sharesMint }) => sharesMint.address),
      ],
      // A supposed price is that of the token of a reserve.
      priced: [...new Set(reserves.map(({ token }) => token.mint.address))],
      table: [...vaults, ...markets].map(({ lookupTable }) => lookupTable),
    },
  };
}

/** The element with a number, counting on from the start after the last. */
export function nth<T>(list: readonly T[], number: number): T {
  const item = list[number % list.length];
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

/** Words that name a kind in a parameter, in the order in which they are looked for. */
const WORDS: readonly (readonly [string, AddressKind])[] = [
  ['table', 'table'],
  ['mint', 'mint'],
  ['wallet', 'wallet'],
  ['owner', 'wallet'],
  ['admin', 'wallet'],
  ['user', 'wallet'],
  ['debt', 'debt'],
  ['repayreserve', 'debt'],
  ['reserve', 'reserve'],
  ['obligation', 'obligation'],
  ['loan', 'obligation'],
  ['market', 'market'],
  ['curator', 'curator'],
  ['vault', 'vault'],
  ['token', 'mint'],
];

/** The kind of address at a place, such as `['vaults', 'filter', 'addresses']`: the last name that says one. */
export function kindAt(place: readonly string[]): AddressKind {
  for (const name of [...place].reverse()) {
    const lower = name.toLowerCase();
    const found = WORDS.find(([word]) => lower.includes(word));
    if (found !== undefined) return found[1] === 'mint' && place.includes('prices') ? 'priced' : found[1];
  }
  return 'wallet';
}
