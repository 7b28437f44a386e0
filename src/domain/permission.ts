import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** An operation for which the lending program may demand the signature of the market's permissioning authority. */
export type PermissionedOperation = 'DEPOSIT' | 'BORROW' | 'LIQUIDATE';

const BITS: Readonly<Record<PermissionedOperation, bigint>> = { DEPOSIT: 1n, BORROW: 2n, LIQUIDATE: 4n };
const OPERATIONS = Object.keys(BITS) as PermissionedOperation[];

type PermissioningMarket = Pick<LendingMarket, 'permissioningAuthority' | 'permissionedOps'>;

/** The key whose signature permissioned operations need; null for an open market. */
export function permissioningAuthority({ permissioningAuthority: key }: PermissioningMarket): Address | null {
  return presentAddress(key);
}

/**
 * The operations that need a permission: those of the market, and those of the reserves acted on. Without an authority of
 * the market none does, whatever the reserves say.
 */
export function permissionedOperations(
  market: PermissioningMarket,
  reserves: readonly Reserve[] = [],
): PermissionedOperation[] {
  if (permissioningAuthority(market) === null) return [];
  const bits = reserves.reduce((all, { config }) => all | config.permissionedOps, market.permissionedOps);
  return OPERATIONS.filter((operation) => (bits & BITS[operation]) !== 0n);
}

/** The key that must also sign an operation on the reserves; null when none must. */
export function permissionFor(
  operation: PermissionedOperation,
  market: PermissioningMarket,
  reserves: readonly Reserve[],
): Address | null {
  const isNeeded = permissionedOperations(market, reserves).includes(operation);
  return isNeeded ? permissioningAuthority(market) : null;
}
