import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { type BorrowOrder, borrowOrder, obligation as layout } from '@sluice/protocol/klend/obligation';
import { viewOf } from '@sluice/protocol/layout/account';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { wholeSf } from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import { marketValueSf } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';
import type { RolloverConfig } from './rollover-config.ts';

/** The terms that an owner sets. */
export type BorrowOrderConfig = Pick<
  BorrowOrder,
  | 'remainingDebtAmount'
  | 'maxBorrowRateBps'
  | 'minDebtTermSeconds'
  | 'fillableUntilTimestamp'
  | 'enableAutoRolloverOnFilledBorrows'
>;

/** Order 0, 1 or 2 of the obligation, as it is now (6123 for another index). */
export function loadOrder(account: InstructionAccount, index: number): BorrowOrder {
  ensure(index < ORDER_SLOTS, LENDING.orderIndexOutOfBounds);
  const start = offsetOf(index);
  return borrowOrder.read(viewOf(account.data.slice(start, start + borrowOrder.size)), 0);
}

export function writeOrder(account: InstructionAccount, index: number, order: BorrowOrder): void {
  const data = new Uint8Array(account.data);
  data.set(bytesOf(order), offsetOf(index));
  account.write(data);
}

const ORDER_SLOTS = 3;

const offsetOf = (index: number) =>
  index === 0
    ? layout.offsetOf('headBorrowOrder')
    : layout.offsetOf('tailBorrowOrders') + (index - 1) * borrowOrder.size;

function bytesOf(order: BorrowOrder): Uint8Array {
  const bytes = new Uint8Array(borrowOrder.size);
  borrowOrder.write(viewOf(bytes), 0, order);
  return bytes;
}

export function changedOrder(order: BorrowOrder, fields: Partial<BorrowOrder>): BorrowOrder {
  const bytes = bytesOf(order);
  borrowOrder.write(viewOf(bytes), 0, fields);
  return borrowOrder.read(viewOf(bytes), 0);
}

/** A slot without an order. */
export const NO_BORROW_ORDER: BorrowOrder = borrowOrder.read(viewOf(new Uint8Array(borrowOrder.size)), 0);

export const isEmptyOrder = (order: BorrowOrder): boolean => bytesOf(order).every((byte) => byte === 0);

/** Refuses terms that no order may have (6124), and too small an amount (6153). */
export function validateConfig(
  config: BorrowOrderConfig,
  market: LendingMarket,
  reserve: ReserveState,
  timestamp: bigint,
): void {
  const { maxBorrowRateBps, remainingDebtAmount, fillableUntilTimestamp } = config;
  ensure(maxBorrowRateBps !== 0, LENDING.invalidOrderConfiguration);
  ensure(remainingDebtAmount !== 0n, LENDING.invalidOrderConfiguration);
  ensure(fillableUntilTimestamp >= timestamp, LENDING.invalidOrderConfiguration);
  ensure(hasMinimumValue(remainingDebtAmount, market, reserve), LENDING.borrowOrderValueTooSmall);
}

function hasMinimumValue(amount: bigint, { minBorrowOrderFillValue }: LendingMarket, reserve: ReserveState) {
  return marketValueSf(reserve, wholeSf(amount)) >= wholeSf(minBorrowOrderFillValue);
}

/** Refuses a reserve that the order does not accept, and a fill that comes too late or is too small. */
export function checkFill(
  order: BorrowOrder,
  market: LendingMarket,
  reserve: ReserveState,
  filled: bigint,
  timestamp: bigint,
): void {
  ensure(market.borrowOrderExecutionEnabled !== 0, LENDING.borrowOrderExecutionDisabled);
  const rates = reserve.config.borrowRateCurve.points.map(({ borrowRateBps }) => borrowRateBps);
  const isCheap = Math.max(...rates) <= order.maxBorrowRateBps;
  ensure(isCheap, LENDING.borrowOrderMaxBorrowRateExceeded);
  const { debtTermSeconds, debtMaturityTimestamp } = reserve.config;
  const untilMaturity = debtMaturityTimestamp > timestamp ? debtMaturityTimestamp - timestamp : 0n;
  const lasts =
    isLongEnough(order, debtTermSeconds === 0n ? null : debtTermSeconds) &&
    isLongEnough(order, debtMaturityTimestamp === 0n ? null : untilMaturity);
  ensure(lasts, LENDING.borrowOrderMinDebtTermInsufficient);
  const isInTime = timestamp <= order.fillableUntilTimestamp;
  ensure(isInTime, LENDING.borrowOrderFillTimeLimitExceeded);
  const rest = order.remainingDebtAmount - filled;
  if (rest === 0n) return;
  ensure(hasMinimumValue(filled, market, reserve), LENDING.borrowOrderFillValueTooSmall);
  ensure(hasMinimumValue(rest, market, reserve), LENDING.borrowOrderValueTooSmall);
}

/** An order without a minimum term only takes debts that never end. @param offered seconds; null without an end */
function isLongEnough({ minDebtTermSeconds }: BorrowOrder, offered: bigint | null): boolean {
  return offered === null || (minDebtTermSeconds !== 0n && minDebtTermSeconds <= offered);
}

/** The rollover terms of a debt that an order with auto-rollover fills; null without it. */
export function rolloverOf(order: BorrowOrder): RolloverConfig | null {
  if (order.enableAutoRolloverOnFilledBorrows === 0) return null;
  return {
    autoRolloverEnabled: 1,
    openTermAllowed: 1,
    migrationToFixedEnabled: order.minDebtTermSeconds === 0n ? 0 : 1,
    fixedTermRolloverWindowDurationDays: 0,
    maxBorrowRateBps: order.maxBorrowRateBps,
    minDebtTermSeconds: order.minDebtTermSeconds,
  };
}
