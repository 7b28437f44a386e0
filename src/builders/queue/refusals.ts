import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { supportsMint, supportsTokenAccount } from '@sluice/protocol/klend/supported-extensions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { startsFrozen } from '@sluice/protocol/token/extensions';
import type { Address } from '@solana/kit';
import { RESERVE_VERSION } from '../../domain/reserve.ts';
import { isWorthTicket, type PaymentRefusal, type QueueState } from '../../domain/ticket-payment.ts';
import {
  cancellationBlock,
  issuanceBlock,
  paymentBlock,
  type QueueBlock,
} from '../../domain/withdraw-queue.ts';
import { lendingError } from '../program-errors.ts';
import type { WalletToken } from '../read-accounts.ts';
import { type BuildWarning, type WarningCode, warning } from '../warnings.ts';
import type { QueueAccounts, TicketAccounts } from './accounts.ts';
import { type AccountFlaw, accountFlaw } from './destination.ts';

/**
 * Refusals of the program, each with its name and number for the error. The lists are in the order of the program's checks,
 * so the first one is the error with which a transaction fails.
 */
export function refusal(name: string, code: WarningCode, message?: string): BuildWarning {
  const { number, advice } = lendingError(name);
  return warning(code, `${message ?? advice} The program answers ${number} ${name}.`);
}

const notAllowed = (name: string, message?: string) => refusal(name, 'ACTION_NOT_ALLOWED', message);

/** An action on a withdraw queue. */
export type QueueAction = 'enqueue' | 'pay' | 'cancel' | 'recover';

const BLOCKS = {
  enqueue: issuanceBlock,
  pay: paymentBlock,
  cancel: cancellationBlock,
  // No switch of the market stops a recovery.
  recover: paymentBlock,
} as const satisfies Record<QueueAction, (market: LendingMarket, reserve: Reserve) => QueueBlock | null>;

const ERROR_OF_BLOCK: Readonly<Record<Exclude<QueueBlock, 'DISABLED'>, string>> = {
  MARKET_EMERGENCY: 'GlobalEmergencyMode',
  RESERVE_OBSOLETE: 'ReserveObsolete',
  RESERVE_EMERGENCY: 'ReserveEmergencyMode',
};

/** A state of market or reserve in which the program rejects the action, whatever its size. */
export function blockedQueue({ market, reserve }: QueueAccounts, action: QueueAction): BuildWarning[] {
  const block = BLOCKS[action](market, reserve);
  if (block !== null && block !== 'DISABLED') return [notAllowed(ERROR_OF_BLOCK[block])];
  return reserve.version === RESERVE_VERSION ? [] : [notAllowed('ReserveDeprecated')];
}

const ERROR_OF_SWITCH: Readonly<Record<Exclude<QueueAction, 'recover'>, string>> = {
  enqueue: 'WithdrawTicketIssuanceDisabled',
  pay: 'WithdrawTicketRedemptionDisabled',
  cancel: 'WithdrawTicketCancellationDisabled',
};

/** A queue that the market has switched off for the action. */
export function switchedOff(
  { market, reserve }: QueueAccounts,
  action: Exclude<QueueAction, 'recover'>,
): BuildWarning[] {
  return BLOCKS[action](market, reserve) === 'DISABLED' ? [notAllowed(ERROR_OF_SWITCH[action])] : [];
}

/** A new ticket's destination: the wallet's associated account, which the build opens when it is absent. */
export function destinationRefusals({ liquidity, extended }: QueueAccounts): BuildWarning[] {
  const { address, account } = liquidity;
  const opensFrozen = account === null && extended !== null && startsFrozen(extended);
  const flaw = opensFrozen ? 'FROZEN' : account && accountFlaw(account);
  return flaw === null ? [] : [flawed(address, flaw)];
}

/** Token-2022 extensions of the reserve's token, or of the destination, with which the program takes no liquidity. */
export function extensionRefusals({ liquidity: { account }, extended }: QueueAccounts): BuildWarning[] {
  const isSupported =
    (extended === null || supportsMint(extended)) && (account === null || supportsTokenAccount(account));
  return isSupported ? [] : [notAllowed('UnsupportedTokenExtension')];
}

/** The account that gets collateral tokens back. It may be frozen for all that the lending program checks. */
export function returnRefusals({ collateral: { address, account } }: QueueAccounts): BuildWarning[] {
  return account !== null && account.delegate !== null ? [flawed(address, 'DELEGATE')] : [];
}

function flawed(address: Address, flaw: AccountFlaw): BuildWarning {
  const message =
    flaw === 'DELEGATE'
      ? `The token account ${address} has a delegate. Revoke it first.`
      : `The token account ${address} is frozen by the mint's authority.`;
  return notAllowed('InvalidTokenAccountState', message);
}

/** A ticket of this size would be worth less than the minimum. */
export function tooSmall(state: QueueState, collateral: bigint, what: string): BuildWarning[] {
  if (isWorthTicket(state, collateral)) return [];
  const { minWithdrawQueuedLiquidityValue: minimum } = state.market;
  const message = `${what} would be worth less than the market's minimum of ${minimum} USD.`;
  return [refusal('WithdrawTicketValueTooSmall', 'AMOUNT_BELOW_MINIMUM', message)];
}

export const roundsToNothing = (): BuildWarning => refusal('InvalidAmount', 'AMOUNT_BELOW_MINIMUM');

/** Why the ticket cannot be cancelled, whatever the amount. */
export function cancelRefusals({ ticket }: TicketAccounts): BuildWarning[] {
  if (ticket.invalid !== 0) return [notAllowed('WithdrawTicketInvalid')];
  return ticket.queuedCollateralAmount === 0n ? [notAllowed('WithdrawTicketFullyCancelled')] : [];
}

/** Why the collateral tokens of the ticket cannot be recovered. */
export const recoverRefusals = ({ ticket }: TicketAccounts): BuildWarning[] =>
  ticket.invalid === 0 ? [notAllowed('WithdrawTicketStillValid')] : [];

const PAYMENT_BLOCKS: Readonly<Record<PaymentRefusal, readonly [name: string, code: WarningCode]>> = {
  NO_LIQUIDITY: ['InsufficientLiquidity', 'LIQUIDITY_TOO_LOW'],
  REST_TOO_SMALL: ['WithdrawTicketValueTooSmall', 'AMOUNT_BELOW_MINIMUM'],
  OUTFLOW_CAP: ['WithdrawalCapReached', 'OUTFLOW_CAP_EXCEEDED'],
  PAYMENT_TOO_SMALL: ['WithdrawQueuedLiquidityValueTooSmall', 'AMOUNT_BELOW_MINIMUM'],
};

export function paymentRefusals(
  { market, symbol }: QueueAccounts,
  block: PaymentRefusal | null,
): BuildWarning[] {
  if (block === null) return [];
  const [name, code] = PAYMENT_BLOCKS[block];
  const minimum = `the market's minimum of ${market.minWithdrawQueuedLiquidityValue} USD`;
  const messages: Readonly<Record<PaymentRefusal, string>> = {
    NO_LIQUIDITY: `The reserve has no ${symbol} to pay with. Wait for repayments or deposits.`,
    REST_TOO_SMALL: `The reserve can pay only a part of the ticket, and the rest would be worth less than ${minimum}. Wait for liquidity.`,
    OUTFLOW_CAP: 'The payment would exceed the withdrawal cap of the reserve for this interval. Wait for it.',
    PAYMENT_TOO_SMALL: `The reserve can pay only a part of the ticket that is worth less than ${minimum}. Wait for liquidity.`,
  };
  return [refusal(name, code, messages[block])];
}

/** A payment into an account that the program opens must pay the whole ticket. */
export const reopeningRefusal = (): BuildWarning =>
  refusal('WithdrawTicketRequiresFullRedemption', 'LIQUIDITY_TOO_LOW');

/** Compares collateral tokens in the wallet with those to queue. */
export function collateralBalance(
  { account }: WalletToken,
  needed: bigint,
  symbol: string,
  decimals: number,
): BuildWarning[] {
  const held = account?.amount ?? 0n;
  if (held >= needed) return [];
  const message = `The wallet has ${placePoint(held, decimals)} collateral tokens of the ${symbol} reserve, but ${placePoint(needed, decimals)} are required. Lower the amount, or name the obligation that they are in.`;
  return [warning('BALANCE_TOO_LOW', message)];
}
