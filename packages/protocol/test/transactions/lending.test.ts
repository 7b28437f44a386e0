import {
  borrowV1,
  borrowV2,
  depositV1,
  depositV2,
  repayV1,
  repayV2,
  withdrawV1,
  withdrawV2,
} from '@sluice/protocol/klend/action-instructions';
import { liquidateV1, liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import {
  depositAndWithdraw,
  depositCollateralV1,
  depositCollateralV2,
  repayAndWithdraw,
  withdrawCollateralV1,
  withdrawCollateralV2,
} from '@sluice/protocol/klend/position-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { EventLookups } from '@sluice/protocol/transactions/events';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  burns,
  foreign,
  LOOKUPS,
  mints,
  moves,
  type Nested,
  named,
  transactionOf,
} from '../support/transaction-maker.ts';

const { klend } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);
const cmint = named('reserveCollateralMint');
const none = { liquidityAmount: 0n };

function eventsOf(outer: readonly Nested[], lookups: EventLookups = LOOKUPS) {
  const { lendingEvents, problems } = read(transactionOf(outer), lookups);
  expect(problems).toEqual([]);
  return lendingEvents.map(({ kind, side, reserve, owner, liquidity, collateral, fee }) => ({
    kind,
    side,
    reserve,
    owner,
    liquidity,
    collateral,
    fee,
  }));
}

const event = (
  kind: string,
  side: string,
  reserve: string,
  liquidity: bigint | null,
  collateral = 0n,
  fee = 0n,
) => ({
  kind,
  side,
  reserve: named(reserve),
  owner: named('owner'),
  liquidity,
  collateral,
  fee,
});

const depositCalls = [
  moves(named('userSourceLiquidity'), named('reserveLiquiditySupply'), 100n),
  mints(cmint, named('reserveDestinationDepositCollateral'), 90n),
];
const withdrawCalls = [
  burns(cmint, named('reserveSourceCollateral'), 45n),
  moves(named('reserveLiquiditySupply'), named('userDestinationLiquidity'), 50n),
];
const borrowCalls = [
  moves(named('reserveSourceLiquidity'), named('borrowReserveLiquidityFeeReceiver'), 3n),
  moves(named('reserveSourceLiquidity'), named('userDestinationLiquidity'), 300n),
];
const repayCalls = [moves(named('userSourceLiquidity'), named('reserveDestinationLiquidity'), 120n)];

/** The total fee of a borrow, given the part that goes to the fee vault. */
function borrowFee(referralFeeBps: number, paid: bigint, accounts = accountsOf(borrowV2.accounts)): bigint {
  const calls = [
    moves(named('reserveSourceLiquidity'), named('borrowReserveLiquidityFeeReceiver'), paid),
    moves(named('reserveSourceLiquidity'), named('userDestinationLiquidity'), 1n),
  ];
  const call = { instruction: borrowV2.encode(klend, accounts, none), calls };
  const [event] = eventsOf([call], { ...LOOKUPS, referralFeeBps: () => referralFeeBps });
  return event?.fee ?? expect.fail('no fee');
}

describe('lending actions', () => {
  it.each([depositV1, depositV2])('$name deposits liquidity and collateral tokens', (layout) => {
    const call = {
      instruction: layout.encode(klend, accountsOf(layout.accounts), none),
      calls: depositCalls,
    };
    expect(eventsOf([call])).toEqual([event('deposit', 'collateral', 'reserve', 100n, 90n)]);
  });

  it.each([withdrawV1, withdrawV2])('$name withdraws them', (layout) => {
    const args = { collateralAmount: (1n << 64n) - 1n };
    const call = {
      instruction: layout.encode(klend, accountsOf(layout.accounts), args),
      calls: withdrawCalls,
    };
    expect(eventsOf([call])).toEqual([event('withdraw', 'collateral', 'withdrawReserve', 50n, 45n)]);
  });

  it.each([borrowV1, borrowV2])('$name adds the fee to the debt', (layout) => {
    const call = { instruction: layout.encode(klend, accountsOf(layout.accounts), none), calls: borrowCalls };
    expect(eventsOf([call])).toEqual([event('borrow', 'debt', 'borrowReserve', 300n, 0n, 3n)]);
  });

  it.each([
    // The fee was 4: floor(4 x 0.25) = 1 stayed in the reserve for the referrer.
    [2_500, 3n, 4n],
    // The fee was 1,000: 200 stayed.
    [2_000, 800n, 1_000n],
    [0, 800n, 800n],
  ])('with a referral share of %i bps, a paid fee of %i means a total of %i', (bps, paid, whole) => {
    expect(borrowFee(bps, paid)).toBe(whole);
    const referrerless = accountsOf(borrowV2.accounts, { referrerTokenState: klend });
    expect(borrowFee(bps, paid, referrerless)).toBe(paid);
  });

  it.each([
    [0, 0],
    [1, 1],
    [1_000, 2],
    [5_000, 2],
    [7_500, 8],
    [9_000, 20],
    [9_999, 20_000],
  ])('with a referral share of %i bps, the total fee is right to within %i base units', (bps, bound) => {
    for (let feeThousandths = 1_000n; feeThousandths < 200_000n; feeThousandths += 77n) {
      const whole = (feeThousandths + 500n) / 1_000n;
      const referrers = (feeThousandths * BigInt(bps)) / 10_000_000n;
      const difference = Number(borrowFee(bps, whole - referrers) - whole);
      expect(Math.abs(difference), `${feeThousandths}`).toBeLessThanOrEqual(bound);
    }
  });

  it('does not know a fee of which the referrer keeps everything', () => {
    expect(borrowFee(10_000, 0n)).toBe(0n);
  });

  it.each([repayV1, repayV2])('$name has no owner, because anyone may repay', (layout) => {
    const call = { instruction: layout.encode(klend, accountsOf(layout.accounts), none), calls: repayCalls };
    expect(eventsOf([call])).toEqual([{ ...event('repay', 'debt', 'repayReserve', 120n), owner: null }]);
    const known = { ...LOOKUPS, ownerOfObligation: () => named('known owner') };
    expect(eventsOf([call], known)[0]?.owner).toBe(named('known owner'));
  });

  it.each([depositCollateralV1, depositCollateralV2])('$name moves collateral tokens alone', (layout) => {
    const call = {
      instruction: layout.encode(klend, accountsOf(layout.accounts), { collateralAmount: 0n }),
      calls: [moves(named('userSourceCollateral'), named('reserveDestinationCollateral'), 8n)],
    };
    expect(eventsOf([call])).toEqual([event('deposit', 'collateral', 'depositReserve', null, 8n)]);
  });

  it.each([withdrawCollateralV1, withdrawCollateralV2])('$name moves collateral tokens alone', (layout) => {
    const call = {
      instruction: layout.encode(klend, accountsOf(layout.accounts), { collateralAmount: 0n }),
      calls: [moves(named('reserveSourceCollateral'), named('userDestinationCollateral'), 8n)],
    };
    expect(eventsOf([call])).toEqual([event('withdraw', 'collateral', 'withdrawReserve', null, 8n)]);
  });

  it('repayAndWithdrawAndRedeem is a repayment and a withdrawal', () => {
    const accounts = accountsOf(repayAndWithdraw.accounts, { withdrawOwner: named('owner') });
    const call = {
      instruction: repayAndWithdraw.encode(klend, accounts, {
        repayAmount: 0n,
        withdrawCollateralAmount: 0n,
      }),
      calls: [
        ...repayCalls,
        burns(cmint, named('withdrawReserveSourceCollateral'), 45n),
        moves(named('withdrawReserveLiquiditySupply'), named('withdrawUserDestinationLiquidity'), 50n),
      ],
    };
    expect(eventsOf([call])).toEqual([
      { ...event('repay', 'debt', 'repayReserve', 120n), owner: null },
      event('withdraw', 'collateral', 'withdrawReserve', 50n, 45n),
    ]);
  });

  it('depositAndWithdraw is a deposit and a withdrawal', () => {
    const accounts = accountsOf(depositAndWithdraw.accounts, { withdrawOwner: named('owner') });
    const call = {
      instruction: depositAndWithdraw.encode(klend, accounts, {
        liquidityAmount: 0n,
        withdrawCollateralAmount: 0n,
      }),
      calls: [
        ...depositCalls,
        burns(cmint, named('withdrawReserveSourceCollateral'), 45n),
        moves(named('withdrawReserveLiquiditySupply'), named('withdrawUserDestinationLiquidity'), 50n),
      ],
    };
    expect(eventsOf([call])).toEqual([
      event('deposit', 'collateral', 'reserve', 100n, 90n),
      event('withdraw', 'collateral', 'withdrawReserve', 50n, 45n),
    ]);
  });

  it('has no events for a flash loan, but reads the instructions within it', () => {
    const flash = (data: string): Nested => ({
      instruction: { programAddress: klend, accounts: [], data: Uint8Array.from(Buffer.from(data, 'hex')) },
      calls: [moves(named('reserveSourceLiquidity'), named('userDestinationLiquidity'), 5_000n)],
    });
    const call = {
      instruction: depositV2.encode(klend, accountsOf(depositV2.accounts), none),
      calls: depositCalls,
    };
    const outer = [flash('87e734a70734d4c1'), foreign('multiply', [call]), flash('b97500cb60f5b4ba')];
    expect(eventsOf(outer)).toEqual([event('deposit', 'collateral', 'reserve', 100n, 90n)]);
  });
});

describe('liquidations', () => {
  const args = {
    liquidityAmount: 0n,
    minAcceptableReceivedLiquidityAmount: 0n,
    maxAllowedLtvOverridePercent: 0n,
  };
  const repaid = moves(named('userSourceLiquidity'), named('repayReserveLiquiditySupply'), 200n);
  const taken = moves(named('withdrawReserveCollateralSupply'), named('userDestinationCollateral'), 21n);

  it.each([liquidateV1, liquidateV2])('$name repays one reserve and seizes from another', (layout) => {
    const call = {
      instruction: layout.encode(klend, accountsOf(layout.accounts), args),
      calls: [
        repaid,
        taken,
        burns(named('withdrawReserveCollateralMint'), named('userDestinationCollateral'), 21n),
        moves(named('withdrawReserveLiquiditySupply'), named('userDestinationLiquidity'), 23n),
        moves(named('userDestinationLiquidity'), named('withdrawReserveLiquidityFeeReceiver'), 1n),
      ],
    };
    expect(eventsOf([call])).toEqual([
      { ...event('liquidation', 'debt', 'repayReserve', 200n), owner: null },
      { ...event('liquidation', 'collateral', 'withdrawReserve', 23n, 21n, 1n), owner: null },
    ]);
  });

  it('separate both sides within one reserve, and may leave collateral unredeemed', () => {
    const one = accountsOf(liquidateV2.accounts, {
      withdrawReserve: named('repayReserve'),
      withdrawReserveLiquiditySupply: named('repayReserveLiquiditySupply'),
    });
    const redeeming = moves(named('repayReserveLiquiditySupply'), named('userDestinationLiquidity'), 23n);
    const instruction = liquidateV2.encode(klend, one, args);
    expect(
      eventsOf([{ instruction, calls: [repaid, taken, redeeming] }]).map((each) => each.liquidity),
    ).toEqual([200n, 23n]);
    expect(eventsOf([{ instruction, calls: [repaid, taken] }]).map((each) => each.liquidity)).toEqual([
      200n,
      null,
    ]);
  });
});
