import { labelledAddress } from '@sluice/localnet/world/prng';
import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import type { View } from '../../../src/chain/view/view.ts';
import type { ValuePool } from './query-arguments.ts';

/** Few, so that the same accounts recur within and across queries. */
const ACCOUNTS_PER_KIND = 6;
const TEXTS = ['', 'a', 'USD', 'usdc', 'kv', 'line\nbreak "quoted" \\ ✓ \u2028', 'MTo1'];
const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, 2, 3, 5, 7, -1],
  Float: [0, 0.5, 3],
  Boolean: [true, false],
  String: TEXTS,
  Decimal: ['0', '0.05', '1', '12.5', '100000'],
  U64: ['0', '1', '1000000', '18446744073709551615'],
  DateTime: ['2026-05-01T00:00:00.000Z', '2026-05-31', '2026-06-01T00:00:00.000Z'],
  Base64: ['', 'AAAA'],
  JSON: [{}, [1, 'a', null]],
};

/** Values for generated queries on a View: existing addresses, addresses of another kind, and unknown addresses. */
export function valuesOf(view: View, addresses: WorldAddresses): ValuePool {
  const some = (kind: 'vault' | 'reserve' | 'market' | 'mint' | 'farm' | 'table') =>
    [...view.all(kind).keys()].slice(0, ACCOUNTS_PER_KIND);
  const kinds = {
    vault: [addresses.vault, ...some('vault')],
    reserve: [addresses.reserve, addresses.depositReserve, addresses.queuedReserve, ...some('reserve')],
    market: [addresses.market, ...some('market')],
    token: [addresses.tokenMint, addresses.sharesMint, ...some('mint')],
    mint: [addresses.tokenMint, ...some('mint')],
    farm: some('farm'),
    wallet: [addresses.wallet, addresses.emptyWallet, addresses.queuedWallet],
    owner: [addresses.wallet],
    obligation: [addresses.obligation],
  };
  const wrong = [labelledAddress('nobody', 1), labelledAddress('nobody', 2), ...some('table').slice(0, 1)];
  const everything = [...Object.values(kinds).flat(), ...wrong];
  const global = (type: string, address: string) => Buffer.from(`${type}:${address}`).toString('base64');
  const ids = [
    ...kinds.vault.map((each) => global('Vault', each)),
    ...kinds.reserve.map((each) => global('Reserve', each)),
    ...kinds.market.map((each) => global('Market', each)),
    ...kinds.token.map((each) => global('Token', each)),
    ...kinds.obligation.map((each) => global('Obligation', each)),
    global('ElevationGroup', `${addresses.market}:1`),
    global('Vault', wrong[0] ?? ''),
    global('Nothing', addresses.vault),
    'no identifier',
  ];
  return {
    scalar(type, place) {
      if (type === 'ID') return ids;
      if (type !== 'Address') return SCALARS[type] ?? TEXTS;
      const names = place.toLowerCase();
      // Mostly addresses of the right kind, sometimes any other.
      const fitting = Object.entries(kinds).find(([kind]) => names.includes(kind))?.[1] ?? everything;
      return [...fitting, ...fitting, ...fitting, ...fitting, ...everything];
    },
  };
}
