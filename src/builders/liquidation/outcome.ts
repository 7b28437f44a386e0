import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { isBlocked, type Liquidation, type LiquidationBlock, liquidation } from '../../domain/liquidation.ts';
import type { Instant, Moment } from '../../domain/moment.ts';
import { obligationPositions, type PricedReserve, type PricedReserves } from '../../domain/obligation.ts';
import { type ObligationStats, obligationStats } from '../../domain/obligation-stats.ts';
import { type RefreshedObligation, refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { Amount } from '../amount.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import { refreshedAccount, settledDebt, withDeposit } from '../lending/effects.ts';
import type { LiquidationAccounts } from './accounts.ts';

/** The obligation before or after a liquidation. */
export interface LiquidationSide {
  readonly obligation: Obligation;
  readonly reserves: PricedReserves;
  /** Null when a price is unknown. */
  readonly stats: ObligationStats | null;
}

/** The effect of a liquidation on the accounts. */
export interface LiquidationEffect {
  readonly obligation: Obligation;
  /** Both reserves as the liquidation leaves them; one where they are the same. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
}

export interface LiquidationOutcome {
  readonly before: LiquidationSide;
  /** Equals `before` when the program refuses. */
  readonly after: LiquidationSide;
  /** The obligation in the program's fixed point. Null when a price is unknown. */
  readonly refreshed: RefreshedObligation | null;
  /** Null when the program refuses. */
  readonly liquidation: Liquidation | null;
  readonly effect: LiquidationEffect | null;
  /** Why the program refuses; null when it does not. `PRICE_UNKNOWN` when that cannot be said. */
  readonly block: LiquidationBlock | 'PRICE_UNKNOWN' | null;
}

/** The result of a liquidation under the program's rules. */
export function liquidationOutcome(
  accounts: LiquidationAccounts,
  asked: Amount,
  moment: Moment,
): LiquidationOutcome {
  const { request, obligation, repay } = accounts;
  const before = sideWith(accounts, obligation, new Map(), moment);
  const position = refreshedObligation(obligation, repay.market, before.reserves);
  const none = { before, after: before, refreshed: position, liquidation: null, effect: null };
  if (position === null) return { ...none, block: 'PRICE_UNKNOWN' };
  const state = {
    obligation: position,
    group: obligation.elevationGroup,
    market: repay.market,
    reserves: before.reserves,
    timestamp: moment.timestamp,
    repayReserve: request.repayReserve,
    withdrawReserve: request.withdrawReserve,
  };
  const outcome = liquidation(state, asked);
  if (isBlocked(outcome)) return { ...none, block: outcome };
  const effect = effectOf(accounts, outcome, moment);
  const after = sideWith(accounts, effect.obligation, effect.reserves, moment);
  return { ...none, after, liquidation: outcome, effect, block: null };
}

function sideWith(
  { repay }: LiquidationAccounts,
  obligation: Obligation,
  changed: ReadonlyMap<Address, Reserve>,
  moment: Moment,
): LiquidationSide {
  const { market } = repay;
  const priced = new Map<Address, PricedReserve>();
  for (const [address, account] of repay.reserves) {
    const used = changed.get(address) ?? account;
    priced.set(address, {
      accrued: refreshReserve(used, moment, market),
      priceUsd: priceAtRefresh(repay, used, moment.timestamp)?.usd ?? null,
    });
  }
  const reserves: PricedReserves = (address) => priced.get(address);
  return { obligation, reserves, stats: obligationStats(obligationPositions(obligation, market, reserves)) };
}

/** Settles the debt, takes the collateral, and moves the liquidity of both reserves. */
function effectOf(
  { request, obligation, repay, withdraw }: LiquidationAccounts,
  { settledSf, repaid, seized, redeemed, liquidity }: Liquidation,
  at: Instant,
): LiquidationEffect {
  const { market } = repay;
  const { repayReserve, withdrawReserve } = request;
  const debtReserve = refreshReserve(repay.reserve, at, market);
  const settled = fromScaledFraction(settledSf);
  const paid = { available: repaid, borrowed: settled.neg() };
  const taken = { available: -liquidity, collateral: -redeemed };
  const isSame = repayReserve === withdrawReserve;
  const reserves = isSame
    ? new Map([
        [repayReserve, refreshedAccount(debtReserve, { ...paid, ...taken, available: repaid - liquidity })],
      ])
    : new Map([
        [repayReserve, refreshedAccount(debtReserve, paid)],
        [withdrawReserve, refreshedAccount(refreshReserve(withdraw.reserve, at, market), taken)],
      ]);
  const repaidObligation = settledDebt(obligation, debtReserve, repayReserve, settledSf, at);
  return { obligation: withDeposit(repaidObligation, withdrawReserve, -seized), reserves };
}
