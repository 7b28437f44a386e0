import type { Reserve } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { OraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import {
  type HealthState,
  type HealthTargetLimit,
  healthTarget,
} from '../../builders/lending/health-target.ts';
import { farmOf } from '../../builders/lending/request.ts';
import { collateralTarget } from '../../builders/repay-withdraw/collateral-target.ts';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { ObligationRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { reserveAmount, reserveInView } from '../reserves/reserves.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { tokenSymbol } from '../tokens/tokens.ts';

export type { HealthTargetLimit } from '../../builders/lending/health-target.ts';
export type HealthAction = HealthState['request']['action'];

/** The amount that brings an obligation to a health, or why there is none. */
export interface ObligationTarget {
  readonly amount: TokenAmount | null;
  /** Paid on top of the amount; null without one. */
  readonly earlyRepayPenalty: TokenAmount | null;
  readonly healthFactor: Rational | null;
  readonly limit: HealthTargetLimit | null;
}

const MOST_HEALTH = integer(1_000_000n);

/** The amount to deposit, repay or withdraw to reach a health at the View's slot. */
export async function obligationTarget(
  session: Session,
  record: ObligationRecord,
  health: Rational,
  action: HealthAction,
  address: Address,
): Promise<ObligationTarget> {
  const { view, work } = session;
  const pause = work.step();
  if (pause !== null) await pause;
  checkHealth(health);
  const reserve = reserveOf(session, record, address);
  const state = healthState(session, record, action, address, reserve.value);
  if (state === null) {
    return { amount: null, earlyRepayPenalty: null, healthFactor: null, limit: 'PRICE_UNKNOWN' };
  }
  const { amount, penalty, ...rest } = await work.run(healthTarget(state, health, view.moment));
  return {
    amount: amount === null ? null : reserveAmount(view, reserve, amount),
    earlyRepayPenalty: amount === null ? null : reserveAmount(view, reserve, penalty),
    ...rest,
  };
}

/** The repayment out of collateral to reach a health, or why there is none. */
export interface ObligationCollateralTarget {
  readonly repay: TokenAmount | null;
  readonly withdraw: TokenAmount | null;
  /** Paid on top of the repayment; null without one. */
  readonly earlyRepayPenalty: TokenAmount | null;
  readonly healthFactor: Rational | null;
  readonly limit: HealthTargetLimit | null;
}

/** What a swap may lose at most, in basis points. */
const MOST_LOSS_BPS = 5_000;

/** The amounts to repay and withdraw to reach a health at the View's slot, when the collateral pays for the debt. */
export async function obligationCollateralTarget(
  session: Session,
  record: ObligationRecord,
  health: Rational,
  reserves: { readonly repay: Address; readonly withdraw: Address },
  swapLossBps: number,
): Promise<ObligationCollateralTarget> {
  const { view, work } = session;
  const pause = work.step();
  if (pause !== null) await pause;
  checkHealth(health);
  if (swapLossBps < 0 || swapLossBps > MOST_LOSS_BPS) {
    const context = { what: 'swapLossBps', value: String(swapLossBps), min: '0', max: String(MOST_LOSS_BPS) };
    throw new SluiceError('NUMBER_OUT_OF_RANGE', context);
  }
  const debt = reserveOf(session, record, reserves.repay);
  const collateral = reserveOf(session, record, reserves.withdraw);
  const repay = healthState(session, record, 'repay', reserves.repay, debt.value);
  const withdraw = healthState(session, record, 'withdraw', reserves.withdraw, collateral.value);
  const none = { repay: null, withdraw: null, earlyRepayPenalty: null, healthFactor: null };
  if (repay === null || withdraw === null) return { ...none, limit: 'PRICE_UNKNOWN' };
  const found = await work.run(collateralTarget({ repay, withdraw }, health, swapLossBps, view.moment));
  const { healthFactor, limit } = found;
  if (found.repay === null || found.withdraw === null) return { ...none, limit };
  return {
    repay: reserveAmount(view, debt, found.repay),
    withdraw: reserveAmount(view, collateral, found.withdraw),
    earlyRepayPenalty: reserveAmount(view, debt, found.penalty),
    healthFactor,
    limit,
  };
}

/** A reserve of the market of an obligation. @throws KLEND_RESERVE_NOT_FOUND, RESERVE_NOT_IN_MARKET */
function reserveOf(
  { view }: Session,
  { value: { lendingMarket: market } }: ObligationRecord,
  address: Address,
) {
  const reserve = reserveInView(view, address);
  const { lendingMarket: actual } = reserve.value;
  if (actual === market) return reserve;
  throw new SluiceError('RESERVE_NOT_IN_MARKET', { reserve: address, market, actual });
}

function checkHealth(health: Rational): void {
  if (health.n > 0n && health.compare(MOST_HEALTH) <= 0) return;
  throw new SluiceError('NUMBER_OUT_OF_RANGE', {
    what: 'healthFactor',
    value: toDecimalString(health),
    min: 'more than 0',
    max: toDecimalString(MOST_HEALTH),
  });
}

/** The obligation and its reserves in the View; null when the market or a reserve cannot be read. */
function healthState(
  { view, programs }: Session,
  { value: obligation }: ObligationRecord,
  action: HealthAction,
  address: Address,
  reserve: Reserve,
): HealthState | null {
  const market = view.get('market', obligation.lendingMarket)?.value;
  if (market === undefined) return null;
  const reserves = new Map<Address, Reserve>([[address, reserve]]);
  for (const used of [
    ...activeDeposits(obligation).map(({ depositReserve }) => depositReserve),
    ...activeBorrows(obligation).map(({ borrowReserve }) => borrowReserve),
  ]) {
    const found = view.get('reserve', used);
    if (found === undefined) return null;
    reserves.set(used, found.value);
  }
  const oracles = new Map<Address, OraclePrices>();
  for (const { config } of reserves.values()) {
    const { priceFeed } = config.tokenInfo.scopeConfiguration;
    const oracle = view.get('oracle', priceFeed);
    if (oracle !== undefined) oracles.set(priceFeed, oracle.value);
  }
  const farm = farmOf({ action }, reserve);
  const symbolOf = ({ liquidity }: Reserve) => tokenSymbol(view, liquidity.mintPubkey);
  return {
    request: {
      action,
      programs,
      wallet: obligation.owner,
      market: obligation.lendingMarket,
      reserve: address,
    },
    market,
    obligation,
    reserve,
    reserves,
    oracles,
    token: { account: null },
    farm: farm === null ? null : { farm },
    symbol: symbolOf(reserve),
    symbolOf,
  };
}
