import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { type HarborWorld, startHarborWorld } from '../support/history/harbor.ts';
import { d, reserveSample } from '../support/history/samples.ts';

let world: HarborWorld;
beforeAll(async () => {
  world = await startHarborWorld();
});
afterAll(() => world?.app.stop());

const total = (values: readonly string[]) => toDecimalString(sum(values.map(parseDecimal)));

interface Debt {
  readonly reserveAddress: string;
  readonly badDebtUsd: string;
}

describe('the risk of a vault', () => {
  it('is its part of the loans of its reserves', async () => {
    const { stakedMint, vault } = world.app.localChain.addresses;
    const { vault: found } = await world.ask<{
      vault: {
        allocations: { reserveAddress: string; actualShare: string }[];
        risk: {
          reserves: {
            reserveAddress: string;
            share: string;
            shareOfReserve: string;
            debtUsd: string;
            unsecuredUsd: string;
            backing: { debtUsd: string }[];
            market: { address: string; risk: { shocks: { badDebtUsd: string; byDebt: Debt[] }[] } };
          }[];
          shocks: {
            badDebtUsd: string;
            reserves: { reserveAddress: string; badDebtUsd: string; vaultBadDebtUsd: string }[];
          }[];
        };
      };
    }>(
      `query ($vault: Address!, $shocks: [MarketShock!]!) { vault(address: $vault) {
        allocations { reserveAddress actualShare }
        risk(shocks: $shocks) {
          reserves { reserveAddress share shareOfReserve debtUsd unsecuredUsd backing { debtUsd }
            market { address risk(shocks: $shocks) { shocks { badDebtUsd byDebt { reserveAddress badDebtUsd } } } } }
          shocks { badDebtUsd reserves { reserveAddress badDebtUsd vaultBadDebtUsd } }
        } } }`,
      { vault, shocks: [{ label: 'fall', prices: [{ mint: stakedMint, changePct: '-90' }] }] },
    );
    const { reserves, shocks } = found.risk;
    const [shock] = shocks;
    let hasBadDebt = false;
    for (const reserve of reserves) {
      const { reserveAddress } = reserve;
      const of = <T extends { reserveAddress: string }>(list: readonly T[]) =>
        list.find((each) => each.reserveAddress === reserveAddress);
      expect(reserve.share).toBe(of(found.allocations)?.actualShare);
      expect(
        Number(total([reserve.unsecuredUsd, ...reserve.backing.map(({ debtUsd }) => debtUsd)])),
      ).toBeCloseTo(Number(reserve.debtUsd), 6);
      const [inMarket] = reserve.market.risk.shocks;
      // Bad debt by the reserve that lent adds up to that of the market.
      expect(Number(total(inMarket?.byDebt.map(({ badDebtUsd }) => badDebtUsd) ?? []))).toBeCloseTo(
        Number(inMarket?.badDebtUsd),
        9,
      );
      const loss = of(shock?.reserves ?? []) ?? expect.fail(reserveAddress);
      expect(loss.badDebtUsd).toBe(of(inMarket?.byDebt ?? [])?.badDebtUsd ?? '0');
      expect(Number(loss.vaultBadDebtUsd)).toBeCloseTo(
        Number(loss.badDebtUsd) * Number(reserve.shareOfReserve),
        6,
      );
      hasBadDebt ||= Number(loss.badDebtUsd) > 0;
    }
    expect(hasBadDebt).toBe(true);
    expect(Number(shock?.badDebtUsd)).toBeCloseTo(
      Number(total(shock?.reserves.map(({ vaultBadDebtUsd }) => vaultBadDebtUsd) ?? [])),
      6,
    );
  });

  it('says how much can leave only where liquidity is recorded for as long', async () => {
    const { vault } = world.app.localChain.addresses;
    const document = `{ vault(address: "${vault}") { withdrawableNow { amount }
      allocations { reserveAddress invested { amount } }
      risk { outflows { within amount { amount } leastRecorded { amount } } } } }`;
    type Answer = {
      vault: {
        withdrawableNow: { amount: string };
        allocations: { reserveAddress: Address; invested: { amount: string } }[];
        risk: {
          outflows: {
            within: string;
            amount: { amount: string } | null;
            leastRecorded: { amount: string } | null;
          }[];
        };
      };
    };
    const before = await world.ask<Answer>(document);
    expect(before.vault.risk.outflows).toEqual(
      ['HOUR', 'DAY', 'WEEK'].map((within) => ({ within, amount: null, leastRecorded: null })),
    );
    // 26 hours without a rise, and with nothing free in one of the last day.
    const reserves = before.vault.allocations.map(({ reserveAddress }) => reserveAddress);
    await world.write(
      HOUR,
      Array.from({ length: 26 }, (_, i) => 26 - i).map((hoursAgo) => ({
        at: world.app.ago(hoursAgo * 3_600_000),
        reserves: reserves.map((reserve) =>
          reserveSample('r', { reserve, totalLiquidity: d(hoursAgo > 10 ? '1000000000' : '0') }),
        ),
      })),
    );
    await world.app.nextView();
    const after = await world.ask<Answer>(document);
    const [hour, day, week] = after.vault.risk.outflows;
    expect(hour?.amount).toEqual(after.vault.withdrawableNow);
    expect(day?.amount).toEqual(after.vault.withdrawableNow);
    expect([week?.amount, week?.leastRecorded]).toEqual([null, null]);
    const { idle } = (
      await world.ask<{ vault: { idle: { amount: string } } }>(
        `{ vault(address: "${vault}") { idle { amount } } }`,
      )
    ).vault;
    expect(day?.leastRecorded).toEqual(idle);
  });
});
