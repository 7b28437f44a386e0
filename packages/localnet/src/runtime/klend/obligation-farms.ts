import { setStakeDelegated } from '@sluice/protocol/farms/instructions';
import { type UserState, userState } from '@sluice/protocol/farms/user-state';
import { type Obligation, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { aborted, ensure, load } from '../anchor.ts';
import { checkProgram } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError, InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import type { FarmKind } from './farm-kind.ts';
import { floorSf } from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import { checkOpenForEntry } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';

/** The position whose size a farm of its reserve must know. */
export interface FarmedPosition {
  /** Empty once the obligation is closed. */
  readonly obligation: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly lendingMarket: InstructionAccount;
  readonly lendingMarketAuthority: InstructionAccount;
}

export interface FarmAccounts {
  readonly obligationFarmUserState: InstructionAccount;
  readonly reserveFarmState: InstructionAccount;
}

/** The farm accounts of a V2 action; null when absent. */
export interface OptionalFarmAccounts {
  readonly obligationFarmUserState: InstructionAccount | null;
  readonly reserveFarmState: InstructionAccount | null;
  readonly farmsProgram: InstructionAccount;
}

const { klend, farms } = MAINNET_PROGRAMS;

const loadUserState = (account: InstructionAccount): UserState => load(account, userState, farms);

/** The framework's checks of a V2 action's farm accounts before the action begins. */
export function checkFarmAccounts({ obligationFarmUserState, farmsProgram }: OptionalFarmAccounts): void {
  if (obligationFarmUserState !== null) loadUserState(obligationFarmUserState);
  checkProgram(farmsProgram, farms);
}

/** The end of a V2 action: reports the position if the reserve has a farm of this kind. Save the obligation first. */
export function refreshFarmAfterAction(
  invocation: Invocation,
  position: FarmedPosition & OptionalFarmAccounts,
  kind: FarmKind,
): void {
  if (ReserveState.load(position.reserve).farmOf(kind) === NO_ADDRESS) return;
  const { obligationFarmUserState, reserveFarmState } = position;
  if (reserveFarmState === null || obligationFarmUserState === null) {
    throw customError(LENDING.farmAccountsMissing);
  }
  refreshFarm(invocation, position, { obligationFarmUserState, reserveFarmState }, kind);
}

/** Sets the obligation's stake in the reserve's farm to the size of its position. */
export function refreshFarm(
  invocation: Invocation,
  {
    obligation: obligationAccount,
    reserve: reserveAccount,
    lendingMarket,
    lendingMarketAuthority,
  }: FarmedPosition,
  { obligationFarmUserState, reserveFarmState }: FarmAccounts,
  kind: FarmKind,
): void {
  const obligation = loadOpen(obligationAccount);
  if (obligation !== null) {
    ensure(obligation.lendingMarket === lendingMarket.address, LENDING.invalidAccountInput);
  }
  const reserve = ReserveState.load(reserveAccount);
  checkOpenForEntry(reserve);
  const user = loadUserState(obligationFarmUserState);
  ensure(user.delegatee === obligationAccount.address, LENDING.invalidAccountInput);
  invocation.log(`RefreshObligationFarmsForReserve ${kind === 'collateral' ? 'Collateral' : 'Debt'}`);
  const farm = reserve.farmOf(kind);
  ensure(farm !== NO_ADDRESS, LENDING.noFarmForReserve);
  ensure(farm === reserveFarmState.address, LENDING.invalidAccountInput);
  const amount = obligation === null ? 0n : positionSize(obligation, reserve.address, kind);
  invocation.log(`RefreshObligationFarmsForReserve amount ${amount} slot ${invocation.clock.slot}`);
  if (user.activeStakeScaled === amount) {
    invocation.log('Farm stake is unchanged, skipping update');
    return;
  }
  const accounts = {
    delegateAuthority: lendingMarketAuthority.address,
    userState: obligationFarmUserState.address,
    farmState: farm,
  };
  invocation.invoke(setStakeDelegated.encode(farms, accounts, { newAmount: amount }), [
    lendingMarketAuthority.address,
  ]);
}

/** Null when the obligation is closed. The program panics on any other account. */
function loadOpen(account: InstructionAccount): Obligation | null {
  if (account.data.length === 0) return null;
  try {
    return load(account, obligationLayout, klend);
  } catch (error) {
    if (error instanceof InstructionError) throw aborted();
    throw error;
  }
}

/** Collateral tokens deposited, or whole base units borrowed. */
function positionSize({ deposits, borrows }: Obligation, reserve: Address, kind: FarmKind): bigint {
  if (kind === 'collateral') {
    return deposits.find((each) => each.depositReserve === reserve)?.depositedAmount ?? 0n;
  }
  const debt = borrows.find((each) => each.borrowReserve === reserve);
  return debt === undefined ? 0n : floorSf(debt.borrowedAmountSf);
}
