import { reserve as layout } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { aborted, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { checkVersion } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';

/**
 * A reserve among the accounts after the named ones. The program panics when the account is of another kind; `readOnly` is
 * its error when the account cannot be written.
 */
export function remainingReserve(account: InstructionAccount | undefined, readOnly: number): ReserveState {
  if (account === undefined) throw customError(LENDING.invalidAccountInput);
  if (!isReserve(account)) throw aborted();
  ensure(account.isWritable, readOnly);
  return ReserveState.load(account);
}

function isReserve({ owner, data }: InstructionAccount): boolean {
  const { discriminator } = layout;
  return owner === MAINNET_PROGRAMS.klend && discriminator.every((byte, i) => data[i] === byte);
}

/** The reserve of a position: the one that the obligation names, refreshed in this slot. */
export function refreshedReserve(
  account: InstructionAccount | undefined,
  expected: Address,
  clock: Clock,
): ReserveState {
  const reserve = remainingReserve(account, LENDING.invalidAccountInput);
  ensure(reserve.address === expected, LENDING.invalidAccountInput);
  ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.none), LENDING.reserveStale);
  checkVersion(reserve);
  return reserve;
}
