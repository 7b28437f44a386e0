import { integer, type Rational, sum, ZERO } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../../src/chain/view/view.ts';
import { countAllHolders } from '../../src/recorder/count-holders.ts';
import { obligationsByMarket } from '../../src/recorder/scan-obligations.ts';
import { takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import { Valuation } from '../../src/services/tokens/valuation.ts';
import { readObligationEntries } from '../../src/store/history/obligation-index.ts';
import { writeObligationScan } from '../../src/store/history/obligation-scan.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { databases } from '../support/databases/test-databases.ts';
import { openHistory } from '../support/history/history-database.ts';
import { plain } from '../support/history/samples.ts';

let started: ContractWorld;
let view: View;
const signal = () => AbortSignal.timeout(60_000);

beforeAll(async () => {
  started = await startContractWorld();
  // A query makes the View load the catalogue.
  await started.gateway.query('{ vaults(first: 1) { nodes { totalValue { usd } } } }');
  const { newest } = started.gateway.app.chain.views;
  if (newest === undefined) throw new Error('there is no View');
  view = newest;
  Valuation.of(view);
});
afterAll(() => started.stop());

const isHeld = (amount: bigint | undefined) => amount !== undefined && amount > 0n;

describe('recorder scans', () => {
  it('count the wallets that hold or stake shares of each vault', async () => {
    const { world } = started.localChain.worldChain;
    const failures: unknown[] = [];
    const counted = await countAllHolders(started.gateway.app.chain, view, signal(), (error) =>
      failures.push(error),
    );
    const expected = world.vaults.map(({ address, sharesMint, farm }) => {
      const holders = world.wallets.filter(
        ({ holdings, stakes }) =>
          isHeld(holdings.get(sharesMint.address)?.amount) ||
          (farm !== null && isHeld(stakes.get(farm.address)?.stake)),
      );
      return [address, holders.length] as const;
    });
    expect(failures).toEqual([]);
    expect(counted).toEqual(new Map(expected));
    expect(sum([...counted.values()].map(integer)).n).toBeGreaterThan(0n);
  });

  it('divide collateral and debts among pairs of reserves, without a rest', async () => {
    const scans = obligationsByMarket(view, await started.gateway.app.chain.scanObligations(signal()));
    const known = (values: readonly (Rational | null)[]) => sum(values.filter((value) => value !== null));
    let severals = 0;
    for (const { entries, collateral } of scans.values()) {
      const owing = entries.filter(
        ({ borrowReserves, depositReserves }) => borrowReserves.length * depositReserves.length > 0,
      );
      const near = (actual: Rational, wanted: Rational) =>
        expect(actual.sub(wanted).abs().toNumber()).toBeLessThanOrEqual(wanted.toNumber() * 1e-20);
      near(known(collateral.map(({ debtUsd }) => debtUsd)), known(owing.map(({ borrowUsd }) => borrowUsd)));
      near(
        known(collateral.map((pair) => pair.collateralUsd)),
        known(owing.map(({ depositUsd }) => depositUsd)),
      );
      severals += owing.filter(
        ({ depositReserves, borrowReserves }) => depositReserves.length + borrowReserves.length > 2,
      ).length;
      for (const { depositReserve, borrowReserve, collateralUsd, debtUsd } of collateral) {
        const both = owing.filter(
          (each) =>
            each.depositReserves.includes(depositReserve) && each.borrowReserves.includes(borrowReserve),
        );
        expect(both.length).toBeGreaterThan(0);
        if (both.some((each) => each.depositReserves.length + each.borrowReserves.length > 2)) continue;
        near(collateralUsd ?? ZERO, known(both.map(({ depositUsd }) => depositUsd)));
        near(debtUsd ?? ZERO, known(both.map(({ borrowUsd }) => borrowUsd)));
      }
    }
    expect(severals).toBeGreaterThan(0);
  });

  it('count the loans of each market by state, with the totals of the index', async () => {
    const scans = obligationsByMarket(view, await started.gateway.app.chain.scanObligations(signal()));
    let found = 0;
    for (const { entries, loans } of scans.values()) {
      const owing = entries.filter(({ borrowReserves }) => borrowReserves.length > 0);
      const valued = owing.filter(({ borrowUsd }) => borrowUsd !== null);
      expect([loans.loans, loans.unvalued]).toEqual([valued.length, owing.length - valued.length]);
      expect(Object.values(loans.byStatus).reduce((a, b) => a + b, 0)).toBe(loans.loans);
      const totalOf = (side: 'depositUsd' | 'borrowUsd') => sum(valued.map((each) => each[side] ?? ZERO));
      // The scan rounds each value down to 2^-60.
      const near = (actual: Rational, wanted: Rational) =>
        expect(actual.sub(wanted).abs().toNumber()).toBeLessThanOrEqual(wanted.toNumber() * 1e-12);
      near(loans.depositedUsd, totalOf('depositUsd'));
      near(loans.borrowedUsd, totalOf('borrowUsd'));
      found += loans.loans;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('list every obligation with a position by market, and the totals of leveraged pairs', async () => {
    const { world } = started.localChain.worldChain;
    const accounts = await started.gateway.app.chain.scanObligations(signal());
    const scans = obligationsByMarket(view, accounts);
    const present = <T>(slots: readonly (T | null)[]) => slots.filter((each) => each !== null);
    for (const market of world.markets) {
      const open = world.obligations.filter(
        (each) =>
          each.exists &&
          each.market === market &&
          present(each.deposits).length + present(each.borrows).length > 0,
      );
      const scan = scans.get(market.address);
      expect(scan?.entries.map(({ obligation }) => obligation).sort()).toEqual(
        open.map(({ address }) => address).sort(),
      );
      const leveraged = open.filter(
        ({ key, deposits, borrows }) =>
          [1, 3].includes(key.tag) && present(deposits).length === 1 && present(borrows).length === 1,
      );
      const counts = scan?.leverage.map(({ obligations }) => obligations) ?? [];
      expect(counts.reduce((a, b) => a + b, 0)).toBe(leveraged.length);
      const usdOf = (side: 'depositUsd' | 'borrowUsd'): Rational =>
        sum(
          (scan?.entries ?? [])
            .filter(({ obligation }) => leveraged.some(({ address }) => address === obligation))
            .map((entry) => entry[side] ?? ZERO),
        );
      expect(
        sum(scan?.leverage.map(({ depositedUsd }) => depositedUsd ?? ZERO) ?? []).equals(usdOf('depositUsd')),
      ).toBe(true);
      expect(
        sum(scan?.leverage.map(({ borrowedUsd }) => borrowedUsd ?? ZERO) ?? []).equals(usdOf('borrowUsd')),
      ).toBe(true);
    }
    expect(world.obligations.length).toBeGreaterThan(0);
  });

  it('enter the snapshot of the same View, which is deterministic', () => {
    const [vault] = view.all('vault').keys();
    const [market] = view.all('market').keys();
    if (vault === undefined || market === undefined) throw new Error('the world is empty');
    const counts = { holders: new Map([[vault, 5]]), obligations: new Map([[market, 8]]) };
    const snapshot = takeSnapshot(view, counts);
    expect(snapshot.vaults.find((each) => each.vault === vault)?.holders).toBe(5);
    expect(snapshot.markets.find((each) => each.market === market)?.obligations).toBe(8);
    expect(snapshot.slot).toBe(view.moment.slot);
    expect(snapshot.reserves).toHaveLength(started.localChain.worldChain.world.reserves.length);
    expect(plain(takeSnapshot(view, counts))).toEqual(plain(snapshot));
  });

  it('clear the entries of a market whose obligations have all closed', async () => {
    const [kind] = databases();
    if (kind === undefined) throw new Error('there is no database to test with');
    const { db, fence, drop } = await openHistory(kind);
    try {
      const accounts = await started.gateway.app.chain.scanObligations(signal());
      const page = { limit: 1_000, offset: 0 };
      const order = { field: 'ADDRESS', direction: 'ASC' } as const;
      const write = async (sampledAt: Date, scans: ReturnType<typeof obligationsByMarket>) => {
        for (const [market, scan] of scans)
          await writeObligationScan(db, fence, market, { sampledAt, ...scan });
      };
      await write(new Date('2026-06-01T10:00:00Z'), obligationsByMarket(view, accounts));
      const [market] =
        [...obligationsByMarket(view, accounts)].find(([, { entries }]) => entries.length > 0) ?? [];
      if (market === undefined) throw new Error('no market has obligations');
      expect((await readObligationEntries(db, market, {}, order, page)).count).toBeGreaterThan(0);
      await write(new Date('2026-06-01T11:00:00Z'), obligationsByMarket(view, []));
      const after = await readObligationEntries(db, market, {}, order, page);
      expect([after.count, after.madeAt?.toISOString()]).toEqual([0, '2026-06-01T11:00:00.000Z']);
    } finally {
      await drop();
    }
  });
});
