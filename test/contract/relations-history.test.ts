import { integer, sum } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exact, expectExact, expectNear, ratio } from '../../packages/protocol/test/support/numbers.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

type Fields = Readonly<Record<string, string>>;

interface Entry {
  readonly timestamp: string;
  readonly refreshedStats: Fields;
  readonly deposits: readonly Fields[];
  readonly borrows: readonly Fields[];
  readonly obligationSolValues: Fields;
}

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const read = async <T>(url: string) => {
  const { status, body } = await world.get(url);
  expect([url, status]).toEqual([url, 200]);
  return body as T;
};
const at = ({ market, address }: { market: string; address: string }, what: string) =>
  `/v2/svc-market/${market}/obligations/${address}/${what}`;

describe('every row of an obligation’s history', () => {
  it('has values consistent with each other, with its positions and with the price of SOL', async () => {
    let [rows, inDebt] = [0, 0];
    for (const obligation of world.subjects.obligations) {
      const { history } = await read<{ history: readonly Entry[] }>(at(obligation, 'metrics/history'));
      expect(history.map(({ timestamp }) => timestamp)).toEqual(
        history.map(({ timestamp }) => timestamp).toSorted(),
      );
      for (const { timestamp, refreshedStats, deposits, borrows, obligationSolValues } of history) {
        const name = `${obligation.address} at ${timestamp}`;
        const n = (field: string) => exact(refreshedStats[field]);
        const inSol = (field: string) => exact(obligationSolValues[field]);
        const worth = (positions: readonly Fields[]) =>
          sum(positions.map(({ marketValueRefreshed }) => exact(marketValueRefreshed)));
        const [deposited, borrowed] = [n('userTotalDeposit'), n('userTotalBorrow')];
        const factored = n('userTotalBorrowBorrowFactorAdjusted');
        expectNear(deposited, worth(deposits), `deposits of ${name}`);
        expectNear(borrowed, worth(borrows), `borrows of ${name}`);
        expectNear(n('netAccountValue'), deposited.sub(borrowed), `net value of ${name}`);
        expectNear(n('leverage'), ratio(deposited, n('netAccountValue')), `leverage of ${name}`);
        expectNear(n('loanToValue'), ratio(factored, n('userTotalCollateralDeposit')), `LTV of ${name}`);
        expectNear(n('borrowUtilization'), ratio(factored, n('borrowLimit')), `utilization of ${name}`);
        expectNear(
          n('liquidationLtv'),
          ratio(n('borrowLiquidationLimit'), n('userTotalLiquidatableDeposit')),
          `liquidation LTV of ${name}`,
        );
        expect(n('borrowLimit').compare(n('borrowLiquidationLimit')) <= 0, name).toBe(true);
        const [collateral, debt] = [inSol('collateralValueSol'), inSol('debtValueSol')];
        expectNear(collateral, deposited.div(inSol('solPrice')), `collateral in SOL of ${name}`);
        expectNear(debt, borrowed.div(inSol('solPrice')), `debt in SOL of ${name}`);
        expectNear(inSol('netValueSol'), collateral.sub(debt), `net value in SOL of ${name}`);
        rows += 1;
        if (!borrowed.isZero) inDebt += 1;
      }
    }
    expect(rows).toBeGreaterThan(500);
    expect(inDebt).toBeGreaterThan(100);
  });

  it('ends with the current state of the obligation', async () => {
    for (const obligation of world.subjects.obligations) {
      const { history } = await read<{ history: readonly Entry[] }>(at(obligation, 'metrics/history'));
      const now = await read<readonly { obligationAddress: string; refreshedStats: Fields }[]>(
        `/svc-market/${obligation.market}/users/${obligation.owner}/obligations`,
      );
      const own = now.find(({ obligationAddress }) => obligationAddress === obligation.address);
      expect(history.at(-1)?.refreshedStats).toEqual(own?.refreshedStats);
    }
  });
});

describe('histories of several vaults', () => {
  it('equal those of each vault alone, in the order of the request', async () => {
    const vaults = world.subjects.vaults.map(({ address }) => address).slice(0, 25);
    const range = 'start=2026-05-31&end=2026-06-01';
    const batch = await read<readonly { kvault: string; history: readonly object[] }[]>(
      `/kvaults/vaults/metrics/history?vaults=${vaults.join(',')}&${range}`,
    );
    expect(batch.map(({ kvault }) => kvault)).toEqual(vaults);
    for (const { kvault, history } of batch) {
      expect(history.length).toBeGreaterThan(10);
      expect(history).toEqual(await read(`/kvaults/vaults/${kvault}/metrics/history?${range}`));
    }
  });
});

describe('the lending rewards of a user', () => {
  it('have averages weighted by value, and no boost', async () => {
    let rows = 0;
    const owners = new Set(world.subjects.obligations.map(({ owner }) => owner));
    for (const owner of owners) {
      const answer = await read<Fields & { readonly rewards: readonly Fields[] }>(
        `/klend/users/${owner}/rewards`,
      );
      const { rewards } = answer;
      const weight = sum(rewards.map(({ usdAmount }) => exact(usdAmount)));
      const mean = (apy: string) =>
        ratio(sum(rewards.map((each) => exact(each[apy]).mul(exact(each.usdAmount)))), weight);
      expectNear(exact(answer.avgBaseApy), mean('baseApy'), `base APY of ${owner}`);
      expectNear(exact(answer.avgBoostedApy), mean('boostedApy'), `boosted APY of ${owner}`);
      expectNear(exact(answer.avgMaxApy), mean('maxApy'), `highest APY of ${owner}`);
      for (const each of rewards) {
        expect(each.depositReserve === null && each.borrowReserve === null).toBe(false);
        expectExact(exact(each.stakingBoost), integer(1n), owner);
        expectExact(exact(each.effectiveStakingBoost), exact(each.stakingBoost), owner);
        const boosted = exact(each.usdAmount).mul(exact(each.effectiveStakingBoost));
        expectExact(exact(each.usdAmountBoosted), boosted, owner);
        expectExact(exact(each.boostedApy), exact(each.baseApy).mul(exact(each.stakingBoost)), owner);
        expect(exact(each.tokensEarned).isNegative || exact(each.tokensPerSecond).isNegative).toBe(false);
        rows += 1;
      }
    }
    expect(rows).toBeGreaterThan(3);
  });
});
