import type { Address } from '@solana/kit';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  type ProgramIds,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../programs/program-ids.ts';
import {
  FARM_ERRORS,
  FRAMEWORK_ERRORS,
  LENDING_ERRORS,
  SYSTEM_ERRORS,
  TOKEN_ERRORS,
  VAULT_ERRORS,
} from './program-error-names.ts';

/** A program's own error, by name, with what the caller can do about it. */
export interface ProgramError {
  /** Null for a code that nobody has named yet. */
  readonly name: string | null;
  readonly advice: string;
}

type Family = 'lending' | 'vault' | 'farm' | 'token' | 'system';

const NAMES = {
  lending: LENDING_ERRORS,
  vault: VAULT_ERRORS,
  farm: FARM_ERRORS,
  token: TOKEN_ERRORS,
  system: SYSTEM_ERRORS,
} as const;

const WHO: Readonly<Record<Family, string>> = {
  lending: 'lending program',
  vault: 'vault program',
  farm: 'farms program',
  token: 'token program',
  system: 'system program',
};

const REBUILD = 'Build the transaction again: what it was built from has changed.';
const LOWER = 'Lower the amount.';

/** Advice by name. Where two programs use a name, it means the same to the caller. */
const ADVICE: Readonly<Record<string, string>> = {
  ReserveStale:
    'A reserve was not brought up to date in this slot, or its price is too old. Build again and send at once; if it stays, its oracle is late.',
  ObligationStale:
    'The obligation was not brought up to date in this slot. Build again and keep the instructions together and in order.',
  InvalidAccountInput:
    'An account is missing or in the wrong place; deposits or debts have changed since it was built. Build again.',
  InsufficientLiquidity:
    'The reserve has less free than this takes out. Lower the amount, or wait for repayments.',
  WithdrawTooSmall: 'The amount is too small to redeem anything. Raise it.',
  WithdrawTooLarge: 'What would be left does not carry the debt. Withdraw less, or repay first.',
  BorrowTooSmall: 'Nothing would be left after fees. Raise the amount.',
  BorrowTooLarge: 'The collateral does not carry this debt. Borrow less, or add collateral.',
  RepayTooSmall: 'The amount is too small to repay anything. Raise it.',
  ObligationReserveLimit:
    'The obligation has no room for another reserve. Close a position, or use another obligation.',
  InvalidObligationOwner: 'The obligation belongs to another wallet.',
  ObligationCollateralEmpty: 'The obligation holds nothing of this reserve.',
  ObligationLiquidityEmpty: 'The obligation owes nothing in this reserve.',
  ObligationDepositsEmpty: 'There is no collateral to borrow against. Deposit first.',
  ObligationBorrowsEmpty: 'There is no debt to repay.',
  PriceTooOld: 'The price is older than the reserve allows. Try again when its oracle has published.',
  PriceNotValid: 'The oracle gives no usable price now. Try again later.',
  GlobalEmergencyMode: 'The market is in emergency mode and takes no such action.',
  ReserveEmergencyMode: 'The reserve is in emergency mode and takes no such action.',
  InvalidScopePriceAccount: `The reserve's oracle has changed. ${REBUILD}`,
  WithdrawalCapReached:
    'As much as may leave the reserve in this interval has left. Lower the amount, or wait.',
  ReserveDeprecated: 'The reserve is no longer supported.',
  ReserveObsolete: 'The reserve is obsolete: it takes no new deposits or debts.',
  ObligationInObsoleteReserve: 'The obligation holds an obsolete reserve. Leave that one first.',
  ReferrerAccountNotInitialized: `The referrer has no account for this reserve. ${REBUILD}`,
  ReferrerAccountMissing: `The account of the wallet's referrer is missing. ${REBUILD}`,
  BorrowingDisabled: 'Borrowing is switched off in this market.',
  BorrowLimitExceeded: 'The reserve lends no more than its limit. Borrow less, or wait.',
  DepositLimitExceeded: 'The reserve takes no more than its limit. Deposit less, or wait.',
  BorrowingDisabledOutsideElevationGroup:
    'This collateral only counts inside an elevation group. Request one first.',
  NetValueRemainingTooSmall: 'What would be left is worth too little. Move all of it, or less.',
  WorseLtvBlocked: 'The position may only get safer by this action.',
  BorrowingAboveUtilizationRateDisabled:
    'The reserve is lent out too far for new debts. Borrow less, or wait.',
  ElevationGroupBorrowLimitExceeded:
    'The elevation group allows no more debt against this collateral. Borrow less.',
  ElevationGroupNewLoansDisabled: 'The elevation group takes no new debts.',
  MaximumWithdrawValueZero: 'The debt needs all of the collateral. Repay first.',
  FarmAccountsMissing: `The reserve has a farm now. ${REBUILD}`,
  ObligationCurrentlyMarkedForDeleveraging: 'The obligation is being wound down; it can only be repaid.',
  InsufficientRepayAmount: 'The amount does not cover what has to be repaid. Raise it.',
  CpiDisabled: 'Send the instructions from a wallet, not from another program.',
  WithdrawAmountBelowMinimum: 'The vault pays out no less than its minimum. Withdraw more.',
  DepositAmountBelowMinimum: 'The vault takes no less than its minimum. Deposit more.',
  DepositAmountsZeroShares: 'The amount buys no share. Deposit more.',
  WithdrawResultsInZeroShares: 'The amount is worth no share. Withdraw more.',
  CannotWithdrawZeroShares: 'The wallet holds no unstaked shares. Unstake them first, or build again.',
  TooMuchLiquidityToWithdraw:
    'The vault cannot pay this much out of one reserve. Build again, or withdraw less.',
  NotEnoughLiquidityDisinvestedToSendToUser: `The reserve gave less than was expected. ${REBUILD}`,
  ReserveNotProvidedInTheAccounts: `The vault's reserves have changed. ${REBUILD}`,
  ReserveNotPartOfAllocations: `The vault has left this reserve. ${REBUILD}`,
  MissingReserveForBatchRefresh: `The vault's reserves have changed. ${REBUILD}`,
  WithdrawAmountLessThanWithdrawalPenalty: 'The withdrawal penalty would take everything. Withdraw more.',
  VaultAUMZero: 'The vault is empty.',
  InsufficientFunds: 'The account holds less than this moves. Add to it, or lower the amount.',
  ResultWithNegativeLamports:
    'The wallet has too few lamports for amount, rent and fees. Add SOL, or lower the amount.',
  AccountFrozen: "The token account is frozen by the mint's authority.",
  NonNativeHasBalance: 'An account that still holds tokens cannot be closed. Build again.',
  AccountAlreadyInUse: `The account is there already. ${REBUILD}`,
  OwnerMismatch: 'The token account belongs to another wallet.',
  AccountOwnedByWrongProgram: `An account is not there, or was closed. ${REBUILD}`,
  AccountNotInitialized: `An account is not there. ${REBUILD}`,
  ConstraintSeeds: `An address does not belong here. ${REBUILD}`,
  ConstraintHasOne: `Two accounts do not belong together. ${REBUILD}`,
  MathOverflow: LOWER,
  IntegerOverflow: LOWER,
  InvalidAmount: 'The amount is zero for the program. Raise it.',
};

function familyOf(ids: ProgramIds, program: Address): Family | null {
  switch (program) {
    case ids.klend:
      return 'lending';
    case ids.kvault:
      return 'vault';
    case ids.farms:
      return 'farm';
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM:
    case ASSOCIATED_TOKEN_PROGRAM:
      return 'token';
    case SYSTEM_PROGRAM:
      return 'system';
    default:
      return null;
  }
}

function nameOf(family: Family, code: number): string | null {
  const own = NAMES[family];
  const lists = family === 'token' || family === 'system' ? [own] : [own, ...FRAMEWORK_ERRORS];
  for (const { first, names } of lists) {
    const name = names[code - first];
    if (name !== undefined) return name;
  }
  return null;
}

/** What a program means by a custom error code, and what to do. Always an answer, also for what nobody knows. */
export function programError(ids: ProgramIds, program: Address, code: number): ProgramError {
  const family = familyOf(ids, program);
  if (family === null) return { name: null, advice: `Program ${program} refused with its own code ${code}.` };
  const name = nameOf(family, code);
  if (name === null)
    return { name, advice: `The ${WHO[family]} refused with code ${code}, which is not known here.` };
  return { name, advice: ADVICE[name] ?? `The ${WHO[family]} refused: ${inWords(name)} (${code}).` };
}

/** `BorrowTooLarge` as `borrow too large`. */
function inWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}
