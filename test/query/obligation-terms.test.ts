import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

const { klend } = MAINNET_PROGRAMS;
/** 1.0 as the program scales fractions. */
const ONE_SF = 1n << 60n;
const LARGEST_SF = (1n << 128n) - 1n;

const localChain = new TestChain();
const decoded = (address: Address) => obligation.decode(accountIn(localChain, address), klend);
/** An obligation with exactly one debt, in its first slot. */
const subject = localChain.worldChain.world.obligations.find(({ exists, address }) => {
  if (!exists) return false;
  const owing = decoded(address).borrows.map(({ borrowedAmountSf }) => borrowedAmountSf > 0n);
  return owing[0] === true && !owing.slice(1).includes(true);
})?.address as Address;
const { lendingMarket: market, borrows } = decoded(subject);
const debtReserve = borrows[0]?.borrowReserve as Address;
const debtMint = reserve.decode(accountIn(localChain, debtReserve), klend).liquidity.mintPubkey;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await testApp({ chain: localChain });
});
afterAll(() => gateway?.stop());

type Changes = Parameters<typeof withFields<typeof obligation.body.fields>>[2];

async function shown<T>(changes: Changes, fields: string): Promise<T> {
  localChain.place(subject, withFields(obligation, accountIn(localChain, subject), changes));
  const { data, errors } = await gateway.query<{ obligation: T }>(
    `{ obligation(address: "${subject}") { ${fields} } }`,
  );
  expect(errors).toEqual([]);
  return data.obligation;
}

describe('borrow orders of an obligation', () => {
  const order = (remainingDebtAmount: bigint) => ({
    debtLiquidityMint: debtMint,
    remainingDebtAmount,
    fillableUntilTimestamp: 1_900_000_000n,
    maxBorrowRateBps: 700,
    active: 1,
  });
  const none = { debtLiquidityMint: '11111111111111111111111111111111' as Address, remainingDebtAmount: 0n };
  const FIELDS = 'borrowOrder { index remainingAmount } borrowOrders { index remainingAmount debtMint }';

  it('are listed by index, whichever slots are taken', async () => {
    expect(
      await shown({ headBorrowOrder: order(5n), tailBorrowOrders: [order(6n), order(7n)] }, FIELDS),
    ).toEqual({
      borrowOrder: { index: 0, remainingAmount: '5' },
      borrowOrders: [5, 6, 7].map((amount, index) => ({ index, remainingAmount: String(amount), debtMint })),
    });
    expect(await shown({ headBorrowOrder: none, tailBorrowOrders: [none, order(7n)] }, FIELDS)).toEqual({
      borrowOrder: null,
      borrowOrders: [{ index: 2, remainingAmount: '7', debtMint }],
    });
    expect(await shown({ tailBorrowOrders: [none, none] }, FIELDS)).toEqual({
      borrowOrder: null,
      borrowOrders: [],
    });
  });

  it('are in the portfolio over REST, with the rollover window of a debt', async () => {
    const { owner, borrows: stored } = decoded(subject);
    const rowOf = async () => {
      const answer = await gateway.get(`/portfolio/${owner}`);
      const { lending, multiply, leverage } = (await answer.json()) as Record<
        string,
        { obligation: Address }[]
      >;
      return [lending, multiply, leverage]
        .flatMap((rows) => rows ?? [])
        .find((row) => row.obligation === subject);
    };
    const withDays = (fixedTermRolloverWindowDurationDays: number) =>
      stored.map((_, i) =>
        i === 0 ? { fixedTermBorrowRolloverConfig: { fixedTermRolloverWindowDurationDays } } : {},
      );
    await shown(
      { headBorrowOrder: none, tailBorrowOrders: [order(6n), order(7n)], borrows: withDays(9) },
      'address',
    );
    expect(await rowOf()).toMatchObject({
      borrows: [{ reserve: debtReserve, rolloverWindowDays: 9 }],
      borrowOrders: [
        { index: 1, debtLiquidityMint: debtMint, remainingDebtAmount: '6', maxBorrowRateBps: 700 },
        { index: 2, debtLiquidityMint: debtMint, remainingDebtAmount: '7', maxBorrowRateBps: 700 },
      ],
    });
    await shown({ tailBorrowOrders: [none, none], borrows: withDays(0) }, 'address');
    const row = await rowOf();
    expect(row).toMatchObject({ borrows: [{ reserve: debtReserve }] });
    expect(JSON.stringify(row)).not.toMatch(/borrowOrders|rolloverWindowDays/);
  });
});

describe('leverage orders of an obligation', () => {
  const FIELDS = `orders { index condition threshold opportunity targetLtv minBonus maxBonus debtMint collateralMint
    maxBorrowRateBps minTermSeconds amount { baseUnits token { mint } } }`;
  const bare = {
    targetLtv: null,
    debtMint: null,
    collateralMint: null,
    maxBorrowRateBps: null,
    minTermSeconds: null,
    amount: null,
  };

  it('have the meaning of klend 1.25 when only its fields are set', async () => {
    const obligationOrders = [
      {
        conditionType: 1,
        conditionThresholdSf: (ONE_SF * 3n) / 4n,
        opportunityType: 0,
        opportunityParameterSf: 1_234n * ONE_SF,
        minExecutionBonusBps: 50,
        maxExecutionBonusBps: 300,
      },
      { conditionType: 5, opportunityType: 1, opportunityParameterSf: LARGEST_SF },
    ];
    expect(await shown({ obligationOrders }, FIELDS)).toEqual({
      orders: [
        {
          ...bare,
          index: 0,
          condition: 'LTV_ABOVE',
          threshold: '0.75',
          opportunity: 'DELEVERAGE_AMOUNT',
          minBonus: '0.005',
          maxBonus: '0.03',
          amount: { baseUnits: '1234', token: { mint: debtMint } },
        },
        {
          ...bare,
          index: 1,
          condition: 'ALWAYS',
          threshold: null,
          opportunity: 'DELEVERAGE_ALL',
          minBonus: '0',
          maxBonus: '0',
        },
      ],
    });
  });

  it('have the meaning of klend 1.26 when its fields or numbers are used', async () => {
    const collateralMint = named('collateral');
    const obligationOrders = [
      {
        conditionType: 2,
        conditionThresholdSf: ONE_SF / 2n,
        opportunityType: 1,
        opportunityParameterSf: 77n * ONE_SF,
        minExecutionBonusBps: 0,
        maxExecutionBonusBps: 0,
        maxBorrowRateBps: 800,
        minDebtTermSeconds: 86_400,
        debtMintAddress: debtMint,
        collateralMintAddress: collateralMint,
      },
      {
        conditionType: 6,
        conditionThresholdSf: ONE_SF / 8n,
        opportunityType: 2,
        opportunityParameterSf: ONE_SF / 4n,
      },
    ];
    expect(await shown({ obligationOrders }, FIELDS)).toMatchObject({
      orders: [
        {
          condition: 'LTV_BELOW',
          opportunity: 'LEVER_UP_AMOUNT',
          debtMint,
          collateralMint,
          maxBorrowRateBps: '800',
          minTermSeconds: '86400',
          amount: { baseUnits: '77', token: { mint: debtMint } },
        },
        {
          condition: 'LIQUIDATION_LTV_CLOSER_THAN',
          threshold: '0.125',
          opportunity: 'DELEVERAGE_TO_LTV',
          targetLtv: '0.25',
          amount: null,
        },
      ],
    });
  });

  it('are not listed once cancelled, and say so when they are unknown', async () => {
    const zero = { conditionThresholdSf: 0n, opportunityParameterSf: 0n };
    const unknown = { ...zero, conditionType: 77, opportunityType: 88 };
    const obligationOrders = [{ ...zero, conditionType: 0, opportunityType: 0 }, unknown];
    expect(await shown({ obligationOrders }, 'orders { index condition opportunity threshold }')).toEqual({
      orders: [{ index: 1, condition: null, opportunity: null, threshold: null }],
    });
  });
});

describe('the term of a debt', () => {
  const DAY = 86_400;
  const FIELDS = `borrows { termEndsAt rollover { enabled openTermAllowed migrationToFixedEnabled maxBorrowRateBps
    minTermSeconds windowDays windowSeconds openTermWindowSeconds } }`;
  const owing = (days: number): Changes => ({
    borrows: [
      {
        lastBorrowedAtTimestamp: 1_780_000_000n,
        fixedTermBorrowRolloverConfig: {
          autoRolloverEnabled: 1,
          openTermAllowed: 0,
          migrationToFixedEnabled: 1,
          fixedTermRolloverWindowDurationDays: days,
          maxBorrowRateBps: 900,
          minDebtTermSeconds: 604_800n,
        },
      },
    ],
  });

  /** Waits until the gateway has read the accounts that were placed. */
  async function withMarket(fixedTermWindow: bigint, debtTermSeconds: bigint): Promise<void> {
    localChain.place(
      market,
      withFields(lendingMarket, accountIn(localChain, market), {
        fixedTermRolloverWindowDurationSeconds: fixedTermWindow,
        openTermRolloverWindowDurationSeconds: 3_600n,
      }),
    );
    localChain.place(
      debtReserve,
      withFields(reserve, accountIn(localChain, debtReserve), { config: { debtTermSeconds } }),
    );
    localChain.advance();
    await gateway.view(
      (view) =>
        view.get('market', market)?.value.fixedTermRolloverWindowDurationSeconds === fixedTermWindow &&
        view.get('reserve', debtReserve)?.value.config.debtTermSeconds === debtTermSeconds,
    );
  }

  const rollover = {
    enabled: true,
    openTermAllowed: false,
    migrationToFixedEnabled: true,
    maxBorrowRateBps: '900',
    minTermSeconds: '604800',
    openTermWindowSeconds: '3600',
  };

  it('ends after the last borrow, and can be extended in the window of the owner or the market', async () => {
    await withMarket(7_200n, 2_592_000n);
    // 30 days after 2026-05-28T20:26:40Z.
    const termEndsAt = '2026-06-27T20:26:40.000Z';
    expect(await shown(owing(3), FIELDS)).toEqual({
      borrows: [{ termEndsAt, rollover: { ...rollover, windowDays: 3, windowSeconds: String(3 * DAY) } }],
    });
    expect(await shown(owing(0), FIELDS)).toEqual({
      borrows: [{ termEndsAt, rollover: { ...rollover, windowDays: null, windowSeconds: '7200' } }],
    });
  });

  it('has no window in a market that has none, and no end in a reserve without a term', async () => {
    await withMarket(0n, 0n);
    expect(await shown(owing(3), FIELDS)).toEqual({
      borrows: [{ termEndsAt: null, rollover: { ...rollover, windowDays: 3, windowSeconds: null } }],
    });
  });
});
