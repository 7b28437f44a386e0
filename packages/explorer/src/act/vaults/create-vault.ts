import { type Action, Decimal } from '@sluice/client';
import { shortAddress } from '../../format/address.ts';
import { choice, field, optional, words } from '../tasks/field.ts';
import { readBps, readText } from '../tasks/read.ts';
import { given, type ValuesOf } from '../tasks/task.ts';
import type { VaultReserve } from './create-vault-documents.ts';

const NAME_BYTES = 40;
const MOST_PERFORMANCE_BPS = 10_000n;
const MOST_MANAGEMENT_BPS = 1_000n;
/** Weights are relative: that of the only reserve can be any. */
const FIRST_WEIGHT = '100';

/** Tokens that some reserve lends, by mint. */
export const tokensOf = (reserves: readonly VaultReserve[]): readonly (readonly [string, string])[] => [
  ...new Map(reserves.map(({ token }) => [token.mint, token.symbol] as const)),
];

const reserveName = ({ address, market, supplyApy }: VaultReserve): string =>
  `${market?.name || shortAddress(address)}, ${Decimal.of(supplyApy.total).format({ style: 'percent' })} APY`;

/** @param mint of the token of the vault */
export const createVaultFields = (reserves: readonly VaultReserve[], mint: string) => ({
  name: optional(words('Name, at most 40 bytes', readText(NAME_BYTES))),
  performance: optional(
    field('Performance fee, percent of what the vault earns', readBps(MOST_PERFORMANCE_BPS)),
  ),
  management: optional(field('Management fee, percent of the assets a year', readBps(MOST_MANAGEMENT_BPS))),
  reserve: optional(
    choice('First reserve', [
      ...reserves
        .filter(({ token }) => token.mint === mint)
        .map((reserve) => [reserve.address, reserveName(reserve)] as const),
      ['', 'None yet'],
    ]),
  ),
});

type CreateVaultValues = ValuesOf<ReturnType<typeof createVaultFields>>;

/** The vault with its settings and its first reserve, as the steps of one plan. */
export function createVaultActions(
  wallet: string,
  vault: string,
  mint: string,
  { name, performance, management, reserve }: CreateVaultValues,
): readonly Action[] {
  const settings = given({ name, performanceFeeBps: performance, managementFeeBps: management });
  return [
    { createVault: { wallet, vault, mint } },
    ...(Object.keys(settings).length === 0 ? [] : [{ setVaultConfig: { wallet, vault, ...settings } }]),
    ...(reserve === undefined
      ? []
      : [{ setVaultAllocation: { wallet, vault, reserve, weight: FIRST_WEIGHT } }]),
  ];
}
