import { Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { largestLiquidation } from '../../src/domain/largest-liquidation.ts';
import type { PricedReserves } from '../../src/domain/obligation.ts';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { loanOutcomes } from '../../src/domain/risk/loan-outcome.ts';
import type { PriceShocks } from '../../src/domain/risk/price-shock.ts';
import { riskTerms } from '../../src/domain/risk/risk-terms.ts';
import { ReserveNumbers, riskInputOf } from '../../src/services/obligation-index/packed-obligation.ts';
import { NOW } from '../support/builders/lending-accounts.ts';
import { pricedReserves } from '../support/lending/priced-reserves.ts';
import { randomState } from '../support/lending/random-states.ts';
import { shockedReserves } from '../support/lending/shocked-reserves.ts';
import { lendingBench } from '../support/localnet/lending-bench.ts';
import { finished } from '../support/work/finished.ts';

const STATES = 300;

describe('a loan under shocks', () => {
  it('has the values that a refresh stores, and the liquidations that follow from them', () => {
    const seen = { liquidatable: 0, healthy: 0, changed: 0, ended: 0 };
    for (let i = 0; i < STATES; i += 1) {
      const { setting } = randomState(i, true);
      // Every other market lets a fifth of a debt be repaid at once; the rest of them nothing.
      const terms =
        i % 2 === 0
          ? {}
          : { liquidationMaxDebtCloseFactorPct: 20, maxLiquidatableDebtMarketValueAtOnce: 500_000n };
      // Every fourth market has debts that ended up to 100 seconds ago, and lets them be liquidated, if gradually.
      const ends = {
        matureReserveDebtLiquidationEnabled: 1,
        obligationBorrowDebtTermLiquidationEnabled: 1,
        termBasedFullLiquidationDurationSecs: 60n,
      };
      const hasEnds = i % 4 === 1;
      const ended = hasEnds
        ? setting.reserves?.map((each) => ({ ...each, config: { ...each.config, debtTermSeconds: 100n } }))
        : setting.reserves;
      const rules = { ...setting.market, ...terms, ...(hasEnds && ends) };
      const { accounts } = lendingBench(
        { ...setting, market: rules, ...(ended && { reserves: ended }) },
        'repay',
      );
      const { obligation, market } = accounts;
      if (obligation === null) continue;
      const reserves = pricedReserves(accounts);
      const mints = [...accounts.reserves.values()].map(({ liquidity }) => liquidity.mintPubkey);
      const shocks: PriceShocks[] = [-70n, -35n, 0n, 150n].map((percent) => {
        const [mint] = mints;
        return new Map(mint === undefined ? [] : [[mint, { change: Rational.of(percent, 100n) }]]);
      });
      const numbers = new ReserveNumbers();
      const loan = riskInputOf(obligation, numbers);
      const outcomes = loanOutcomes(
        loan,
        finished(riskTerms(market, numbers.addresses, reserves, NOW.timestamp, shocks)),
      );
      expect(outcomes.length).toBe(5);
      for (const [scenario, outcome] of outcomes.entries()) {
        const shocked = shockedReserves(reserves, shocks[scenario - 1] ?? new Map());
        const refreshed = refreshedObligation(obligation, market, shocked);
        if (refreshed === null) {
          expect(outcome).toBe('PRICE_UNKNOWN');
          continue;
        }
        if (typeof outcome === 'string') throw new Error(outcome);
        expect(outcome.refreshed()).toEqual(refreshed);
        const { timestamp } = NOW;
        const group = obligation.elevationGroup;
        const state = { obligation: refreshed, group, market, reserves: shocked, timestamp };
        const isOpen = market.emergencyMode === 0;
        const largest = isOpen ? largestLiquidation(state) : null;
        expect(outcome.isLiquidatable).toBe(largest !== null);
        if (largest !== null && largest.reason !== 'UNHEALTHY') seen.ended += 1;
        expect(outcome.liquidatableFor === 'UNHEALTHY').toBe(largest?.reason === 'UNHEALTHY');
        seen[outcome.isLiquidatable ? 'liquidatable' : 'healthy'] += 1;
        if (outcome !== outcomes[0]) seen.changed += 1;
      }
    }
    // The states are of every kind.
    const { liquidatable, healthy, changed, ended } = seen;
    expect(Math.min(liquidatable, healthy, changed, ended)).toBeGreaterThan(20);
  });

  it('is unknown while a reserve cannot be read or a price is missing, never healthy', () => {
    const setting = { reserves: [{}, {}], deposits: [[0, 1_000n]], borrows: [[1, 10n]] } as const;
    const { accounts } = lendingBench({ ...setting }, 'repay');
    const { obligation, market } = accounts;
    if (obligation === null) throw new Error('no obligation');
    const numbers = new ReserveNumbers();
    const loan = riskInputOf(obligation, numbers);
    const [first] = numbers.addresses;
    const mint = first === undefined ? undefined : accounts.reserves.get(first)?.liquidity.mintPubkey;
    if (mint === undefined) throw new Error('no mint');
    const at = (address: typeof first, priceUsd: Rational | null): ReturnType<PricedReserves> => {
      const account = address === undefined ? undefined : accounts.reserves.get(address);
      return account && { accrued: refreshReserve(account, NOW, accounts.market), priceUsd };
    };
    const one = Rational.of(1n);
    const unpriced: PricedReserves = (address) => at(address, address === first ? null : one);
    const shocks = [new Map([[mint, { usd: one }]]), new Map([[mint, { change: one }]])];
    const outcomes = loanOutcomes(
      loan,
      finished(riskTerms(market, numbers.addresses, unpriced, NOW.timestamp, shocks)),
    );
    expect(outcomes[0]).toBe('PRICE_UNKNOWN');
    expect(outcomes[1]).toMatchObject({ isLiquidatable: false });
    expect(outcomes[2]).toBe('PRICE_UNKNOWN');
    const unread: PricedReserves = (address) => (address === first ? undefined : at(address, one));
    const terms = finished(riskTerms(market, numbers.addresses, unread, NOW.timestamp, shocks));
    expect(loanOutcomes(loan, terms)).toEqual(new Array(3).fill('RESERVE_UNREADABLE'));
  });
});
