import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';

/** Bits of `permissionedOps`. */
const PERMISSIONED = { deposit: 1n, borrow: 2n, liquidate: 4n } as const;

/**
 * Checks the signature of the market's permissioning authority where the market, or one of the reserves acted on, demands
 * it. The authority is the last remaining account; returns the remaining accounts without it.
 */
export function checkPermission(
  market: LendingMarket,
  reserves: readonly ReserveState[],
  operation: keyof typeof PERMISSIONED,
  remaining: readonly InstructionAccount[],
): readonly InstructionAccount[] {
  const bit = PERMISSIONED[operation];
  const demands = [market.permissionedOps, ...reserves.map(({ config }) => config.permissionedOps)];
  const isNeeded =
    market.permissioningAuthority !== NO_ADDRESS && demands.some((bits) => (bits & bit) !== 0n);
  if (!isNeeded) return remaining;
  const authority = remaining.at(-1);
  if (authority === undefined) throw customError(LENDING.missingPermissioner);
  ensure(authority.address === market.permissioningAuthority, LENDING.missingPermissioner);
  ensure(authority.isSigner, ANCHOR_ERRORS.accountNotSigner);
  return remaining.slice(0, -1);
}
