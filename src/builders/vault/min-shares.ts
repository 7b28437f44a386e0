import { FULL_BPS, U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { DEVNET_PROGRAMS, type ProgramIds } from '@sluice/protocol/program-ids';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { VaultAccounts } from './accounts.ts';

/** The fewest shares that a caller accepts for a deposit. */
export type MinShares =
  /** Whole shares. */
  | { readonly shares: Rational }
  /** Basis points below the shares of the preview, 0 to 10,000. */
  | { readonly slippageBps: number };

export interface VaultDepositOptions extends ActionOptions {
  readonly minShares?: MinShares;
  /** Whether the deployed program has `MIN_SHARES_VERSION`; null or absent when that is unknown. */
  readonly hasMinShares?: boolean | null;
}

/** The version of the vault program that brought deposits with a minimum of shares. */
export const MIN_SHARES_VERSION = '2.2.2';

/** Where the deployed version is unknown, its address decides: devnet runs 2.0.1. */
function canEnforce({ kvault }: Pick<ProgramIds, 'kvault'>, hasMinShares: boolean | null): boolean {
  return hasMinShares ?? kvault !== DEVNET_PROGRAMS.kvault;
}

/**
 * The minimum in base units of shares.
 * @param previewed base units of shares that the deposit buys now
 * @throws BUILD_REFUSED when the program cannot enforce it or the slippage is out of range
 */
export function minSharesOf(
  { request, vault }: VaultAccounts,
  { min, hasMinShares }: { readonly min: MinShares; readonly hasMinShares: boolean | null },
  previewed: () => bigint,
): bigint {
  const { programs } = request;
  if (!canEnforce(programs, hasMinShares)) {
    throw refused(
      `the vault program deployed at ${programs.kvault} is older than ${MIN_SHARES_VERSION} and cannot enforce a minimum of shares; omit minSharesOut and slippageBps`,
    );
  }
  if ('shares' in min) {
    const rules = { decimals: Number(vault.sharesMintDecimals), maxMeansAll: true };
    const shares = toBaseUnits({ tokens: min.shares }, rules);
    return shares === 'all' ? U64_MAX : shares;
  }
  const { slippageBps } = min;
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > Number(FULL_BPS)) {
    throw refused(`slippageBps is ${slippageBps}, but must be a whole number from 0 to ${FULL_BPS}`);
  }
  return (previewed() * (FULL_BPS - BigInt(slippageBps))) / FULL_BPS;
}

function refused(reason: string): CodedError {
  return new SluiceError('BUILD_REFUSED', { reason });
}
