import {
  FARM_ERRORS,
  FRAMEWORK_ERRORS,
  LENDING_ERRORS,
  SYSTEM_ERRORS,
  TOKEN_ERRORS,
  VAULT_ERRORS,
} from '@sluice/protocol/error-names';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  type ProgramIds,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { type Address, isAddress } from '@solana/kit';

/** A program's error with advice for the caller. */
export interface ProgramError {
  /** Null for an unknown code. */
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

const PROGRAM_NAMES: Readonly<Record<Family, string>> = {
  lending: 'lending program',
  vault: 'vault program',
  farm: 'farms program',
  token: 'token program',
  system: 'system program',
};

const REBUILD = 'Build the transaction again: the accounts have changed since.';
const LOWER = 'Lower the amount.';

/** Advice by name. A name that two programs share means the same to the caller. */
const ADVICE: Readonly<Record<string, string>> = {
  ReserveStale:
    'A reserve was not refreshed in this slot, or its price is too old. Build again and send immediately; if the error persists, the oracle is late.',
  ObligationStale:
    'The obligation was not refreshed in this slot. Build again and keep the instructions together and in order.',
  InvalidAccountInput:
    'An account is missing or out of order; deposits or debts have changed since the build. Build again.',
  InsufficientLiquidity:
    'The reserve has too little available liquidity. Lower the amount, or wait for repayments.',
  WithdrawTooSmall: 'The amount rounds down to zero. Raise it.',
  WithdrawTooLarge: 'The remaining collateral would not cover the debt. Withdraw less, or repay first.',
  BorrowTooSmall: 'Fees would consume the whole amount. Raise it.',
  BorrowTooLarge: 'The collateral does not cover this debt. Borrow less, or add collateral.',
  RepayTooSmall: 'The amount rounds down to zero. Raise it.',
  ObligationReserveLimit:
    'The obligation has no free slot for another reserve. Close a position, or use another obligation.',
  InvalidObligationOwner: 'The obligation belongs to another wallet.',
  ObligationCollateralEmpty: 'The obligation has no deposit in this reserve.',
  ObligationLiquidityEmpty: 'The obligation has no debt in this reserve.',
  ObligationDepositsEmpty: 'There is no collateral to borrow against. Deposit first.',
  ObligationBorrowsEmpty: 'There is no debt to repay.',
  PriceTooOld: 'The price is older than the reserve allows. Try again when its oracle has published.',
  PriceNotValid: 'The oracle has no usable price. Try again later.',
  GlobalEmergencyMode: 'The market is in emergency mode and does not accept this action.',
  ReserveEmergencyMode: 'The reserve is in emergency mode and does not accept this action.',
  MissingPermissioner: `The market demands the signature of its permissioning authority. ${REBUILD}`,
  InvalidScopePriceAccount: `The reserve's oracle has changed. ${REBUILD}`,
  WithdrawalCapReached:
    'The withdrawal cap of the reserve is reached for this interval. Lower the amount, or wait.',
  ReserveDeprecated: 'The reserve is no longer supported.',
  InvalidSigner: 'The account belongs to another wallet, which must sign.',
  InvalidTokenAccountState:
    'The token account has a delegate, or is frozen. Revoke the delegate, or have the account thawed, first.',
  CTokenUsageBlocked:
    'The reserve does not let collateral tokens leave an obligation without redeeming them.',
  UnsupportedTokenExtension:
    'The lending program does not support an extension of the token or of its account.',
  WithdrawTicketIssuanceDisabled: 'The market has switched off new tickets in its withdraw queues.',
  WithdrawTicketRedemptionDisabled: 'The market has switched off payments from its withdraw queues.',
  WithdrawTicketCancellationDisabled: 'The market has switched off the cancellation of tickets.',
  WithdrawTicketStillValid: 'The ticket is valid. It is paid at its turn; its owner can cancel it.',
  WithdrawTicketInvalid:
    'The ticket is invalid: its destination could not be paid. Recover its collateral tokens instead.',
  WithdrawTicketFullyCancelled: 'The ticket is empty: it was cancelled. It is closed at its turn.',
  WithdrawTicketRequiresFullRedemption:
    "The destination of the ticket is closed, and the reserve cannot pay the whole ticket, as reopening it demands. Wait for liquidity, or open the owner's token account first.",
  WithdrawTicketValueTooSmall:
    "The ticket would be worth less than the market's minimum. Queue more, or cancel all of it.",
  WithdrawQueuedLiquidityValueTooSmall:
    "The reserve can pay only a part of the ticket that is worth less than the market's minimum. Wait for liquidity.",
  WithdrawTicketProgressCallbackAccountsMissing: `The ticket reports its payments to a vault. ${REBUILD}`,
  ReserveObsolete: 'The reserve is obsolete: it accepts no new deposits or debts.',
  ObligationInObsoleteReserve:
    'The obligation has a position in an obsolete reserve. Close that position first.',
  ReferrerAccountNotInitialized: `The referrer has no account for this reserve. ${REBUILD}`,
  ReferrerAccountMissing: `The account of the wallet's referrer is missing. ${REBUILD}`,
  BorrowingDisabled: 'Borrowing is disabled in this market.',
  BorrowLimitExceeded:
    'The borrow limit of the reserve would be exceeded. Borrow less, or wait for repayments.',
  DepositLimitExceeded:
    'The deposit limit of the reserve would be exceeded. Deposit less, or wait for withdrawals.',
  BorrowingDisabledOutsideElevationGroup:
    'This collateral counts only inside an elevation group. Request one first.',
  NetValueRemainingTooSmall:
    "The remaining position would be below the market's minimum value. Move all of it, or less.",
  WorseLtvBlocked: 'This action may only lower the loan-to-value of the position.',
  BorrowingAboveUtilizationRateDisabled:
    'The utilization of the reserve is too high for new debts. Borrow less, or wait for repayments.',
  ElevationGroupBorrowLimitExceeded:
    'The elevation group allows no more debt against this collateral. Borrow less.',
  ElevationGroupNewLoansDisabled: 'The elevation group accepts no new debts.',
  MaximumWithdrawValueZero: 'All of the collateral is needed to cover the debt. Repay first.',
  FarmAccountsMissing: `The reserve has a farm now. ${REBUILD}`,
  ObligationCurrentlyMarkedForDeleveraging:
    'The obligation is being deleveraged; only repayments are accepted.',
  InsufficientRepayAmount: 'The amount is less than the required repayment. Raise it.',
  OrderIndexOutOfBounds:
    'An obligation has two orders, with the indexes 0 and 1, and three borrow orders, with the indexes 0 to 2.',
  InvalidOrderConfiguration: 'A value of the order is out of range. Build it again.',
  OrderConfigurationNotSupportedByObligation:
    'The order does not fit the number of deposits and debts of the obligation.',
  OperationNotPermittedWithCurrentObligationOrders:
    'The obligation has orders that this action would invalidate. Cancel them first.',
  OrderCreationDisabled:
    'The market has switched off new orders. Existing ones can be changed and cancelled.',
  BorrowOrderDebtLiquidityMintMismatch:
    'There is no such borrow order, or it is for another token. It may have expired or been filled.',
  BorrowOrderMaxBorrowRateExceeded:
    'The highest rate of the reserve is above the maximum of the order. Fill it from another reserve.',
  BorrowOrderMinDebtTermInsufficient:
    'The term of the reserve is not the one that the order demands. Fill it from another reserve.',
  BorrowOrderFillTimeLimitExceeded: 'The order has expired.',
  NonUpdatableOrderConfiguration:
    'Token and destination of a borrow order cannot be changed. Cancel it and place a new one.',
  BorrowOrderExecutionDisabled: 'The market has switched off the filling of borrow orders.',
  ExpectationNotMet: `The order was filled in the meantime. ${REBUILD}`,
  BorrowOrderFillValueTooSmall:
    "What can be borrowed now is worth less than the market's minimum of a fill. Wait, or fill from another reserve.",
  BorrowOrderValueTooSmall:
    "What remains of the order would be worth less than the market's minimum of an order.",
  BorrowRolloverConfigurationDisabled:
    'The market has switched off the rollover of debts: settings and orders that demand one are refused.',
  ObligationBorrowRolloverConfigMismatch:
    'The debt in this reserve has other rollover terms than the order. Fill it from another reserve.',
  CpiDisabled: 'Send the instructions from a wallet, not from another program.',
  WithdrawAmountBelowMinimum: "The amount is below the vault's minimum withdrawal. Withdraw more.",
  DepositAmountBelowMinimum: "The amount is below the vault's minimum deposit. Deposit more.",
  DepositAmountsZeroShares: 'The amount is worth less than one share unit. Deposit more.',
  WithdrawResultsInZeroShares: 'The amount is worth less than one share unit. Withdraw more.',
  CannotWithdrawZeroShares: 'The wallet holds no unstaked shares. Unstake them first, or build again.',
  TooMuchLiquidityToWithdraw:
    'The vault cannot withdraw this much from one reserve. Build again, or withdraw less.',
  NotEnoughLiquidityDisinvestedToSendToUser: `The reserve paid out less than expected. ${REBUILD}`,
  ReserveNotProvidedInTheAccounts: `The vault's reserves have changed. ${REBUILD}`,
  ReserveNotPartOfAllocations: `The vault no longer invests in this reserve. ${REBUILD}`,
  MissingReserveForBatchRefresh: `The vault's reserves have changed. ${REBUILD}`,
  WithdrawAmountLessThanWithdrawalPenalty:
    'The withdrawal penalty would consume the whole amount. Withdraw more.',
  VaultAUMZero: 'The vault is empty.',
  VaultDepositCapReached:
    'The deposit cap of the vault leaves no room for this deposit. Deposit less, or wait for withdrawals.',
  SharesOutBelowMinimum: `The deposit would mint fewer shares than the given minimum. ${REBUILD}`,
  InvestTooSoon:
    'The vault invested in this reserve or left it too recently. Wait for the delay that it sets, and build again.',
  WrongAdminOrAllocationAdmin:
    'Only the admin of the vault, or its allocation admin for a reserve that the vault uses, may change allocations.',
  ReserveHasNonZeroAllocationOrCTokens:
    'The vault still has a weight or collateral tokens in the reserve. Set the weight to 0 and let the vault leave it with buildInvestVault, then remove it.',
  InvalidPermissioningAuthority: "The vault's permissioning authority must sign too, as the last account.",
  TransactionIncludesNonceInstruction: 'The market accepts this instruction with a recent blockhash only.',
  InsufficientFunds: 'The balance of the account is too low. Add funds, or lower the amount.',
  ResultWithNegativeLamports:
    'The wallet has too little SOL for amount, rent and fees. Add SOL, or lower the amount.',
  CpiGuardTransferBlocked:
    'The token account does not let programs transfer its tokens. Disable its CPI guard first.',
  MintPaused: 'The mint is paused, so its tokens cannot move. Try again later.',
  NoMemo: 'The receiving token account requires a memo. Disable required memos first.',
  AccountFrozen: "The token account is frozen by the mint's authority.",
  NonNativeHasBalance: 'An account that still holds tokens cannot be closed. Build again.',
  AccountAlreadyInUse: `The account already exists. ${REBUILD}`,
  OwnerMismatch: 'The token account belongs to another wallet.',
  AccountOwnedByWrongProgram: `An account does not exist or was closed. ${REBUILD}`,
  AccountNotInitialized: `An account does not exist. ${REBUILD}`,
  ConstraintSeeds: `An account address is not the expected one. ${REBUILD}`,
  ConstraintHasOne: `Two accounts do not match. ${REBUILD}`,
  MathOverflow: LOWER,
  IntegerOverflow: LOWER,
  InvalidAmount: 'The amount rounds down to zero. Raise it.',
  ObligationHealthy: 'The obligation is healthy, or the market has switched off liquidations.',
  LiquidationTooSmall: 'The amount rounds down to zero. Raise it.',
  LiquidationRewardTooSmall: 'The collateral received would be below the given minimum. Lower the minimum.',
  LiquidationBorrowFactorPriority:
    'Another debt of the obligation has a higher borrow factor. Repay that one first.',
  LiquidationLowestLiquidationLtvPriority:
    'Another collateral of the obligation has a lower liquidation threshold. Seize that one first.',
  RepayTooSmallForFullLiquidation: 'The debt is so small that it must be repaid whole. Repay all of it.',
  CollateralNonLiquidatable: 'This collateral cannot be seized. Choose another one.',
  ElevationGroupAlreadyActivated: 'The obligation is already in this elevation group.',
  InvalidElevationGroup: 'The market does not define this elevation group.',
  InconsistentElevationGroup:
    'The elevation group does not accept a deposit or debt of the obligation. Close that position first.',
  ElevationGroupHasAnotherDebtReserve:
    'The elevation group lends from another reserve. Repay this debt first.',
  UnhealthyElevationGroupLtv:
    'The collateral would not cover the debt under the terms of the group. Repay, or add collateral.',
  MinClaimDurationNotReached: 'The farm does not let this stake claim again yet. Try again later.',
  UnstakeNotElapsed: "The farm's cooldown is not over. Withdraw the unstaked shares later.",
  PendingWithdrawalNotWithdrawnYet: `Unstaked shares must be withdrawn before more are unstaked. ${REBUILD}`,
  EarlyWithdrawalNotAllowed: 'The farm does not release stakes before the end of their locking period.',
  DepositCapReached: 'The farm accepts no more stakes.',
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

/** The name of a program's custom error code, and advice. Unknown codes and programs get generic advice. */
export function programError(ids: ProgramIds, program: Address, code: number): ProgramError {
  const family = familyOf(ids, program);
  if (family === null) return { name: null, advice: `Program ${program} failed with custom error ${code}.` };
  const name = nameOf(family, code);
  if (name === null)
    return { name, advice: `The ${PROGRAM_NAMES[family]} failed with unknown error ${code}.` };
  return { name, advice: ADVICE[name] ?? `The ${PROGRAM_NAMES[family]} failed: ${inWords(name)} (${code}).` };
}

/** Number of an error of the lending program, and advice. The name must be one of its errors. */
export function lendingError(name: string): { readonly number: number; readonly advice: string } {
  const index = LENDING_ERRORS.names.indexOf(name);
  if (index < 0) throw new RangeError(`the lending program has no error ${name}`);
  return { number: LENDING_ERRORS.first + index, advice: ADVICE[name] ?? `${inWords(name)}.` };
}

const FAILED_LINE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /;

/**
 * The program in which a transaction failed, by its logs: the innermost one, since a failed call fails its callers. Null
 * when the logs do not say.
 */
export function failedProgram(logs: readonly string[]): Address | null {
  for (const line of logs) {
    const program = FAILED_LINE.exec(line)?.[1];
    if (program !== undefined && isAddress(program)) return program;
  }
  return null;
}

/** `BorrowTooLarge` as `borrow too large`. */
function inWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}
