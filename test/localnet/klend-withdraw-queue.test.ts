import { NO_ADDRESS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { NOW } from '../support/builders/lending-accounts.ts';
import { COLLATERAL, LAMPORTS, OWNERS, PAYER, QueueBench, RESERVE } from '../support/localnet/queue-bench.ts';
import { ticketAt } from '../support/localnet/queue-calls.ts';

/** The withdraw queue on the localnet, in numbers worked out by hand. One collateral token is worth 1.25. */

const [ALICE, BOB] = OWNERS;
/** Rents: 128 bytes more than the account has, at 6,960 lamports for each. */
const RENT = { ticket: 4_510_080n, tokenAccount: 2_039_280n, prepaid: 7_850_880n };
const PAID = Uint8Array.of(1);
/** Liquidity of 1.000003 tokens; the other 1,249,998.999997 are lent. */
const SHORT = { available: 1_000_003n, borrowed: 1_249_998_999_997n, collateral: 1_000_000_000_000n };

describe('enqueueToWithdraw', () => {
  it('moves collateral tokens to the vault of their owner, for a ticket', () => {
    const bench = new QueueBench();
    const before = bench.reserve(0);
    expect(bench.enqueue(ALICE, 4_000_001n)).toBe(0n);
    expect(bench.held(bench.collateralOf(ALICE))).toBe(COLLATERAL - 4_000_001n);
    expect(bench.held(bench.vaultOf(ALICE))).toBe(4_000_001n);
    expect(bench.queue).toEqual({ collateral: 4_000_001n, nextIssued: 1n, nextPaid: 0n });
    expect(bench.ticket(0n)).toMatchObject({
      sequenceNumber: 0n,
      owner: ALICE,
      reserve: RESERVE,
      userDestinationLiquidityTa: bench.liquidityOf(ALICE),
      queuedCollateralAmount: 4_000_001n,
      createdAtTimestamp: NOW.timestamp,
      invalid: 0,
      progressCallbackType: 0,
      progressCallbackCustomAccounts: [NO_ADDRESS, NO_ADDRESS],
    });
    const { liquidity, collateral, lastUpdate } = bench.reserve(0);
    expect(liquidity.totalAvailableAmount).toBe(before.liquidity.totalAvailableAmount);
    expect(collateral.mintTotalSupply).toBe(before.collateral.mintTotalSupply);
    expect(lastUpdate.stale).toBe(0);
  });

  it('takes rent for ticket, vault and destination, for the vault only once', () => {
    const bench = new QueueBench();
    bench.enqueue(ALICE, 1_000_000n);
    const first = RENT.ticket + RENT.prepaid;
    expect(bench.lamports(ticketAt(bench.queued, 0n))).toBe(first);
    expect(bench.lamports(bench.vaultOf(ALICE))).toBe(RENT.tokenAccount);
    expect(bench.lamports(ALICE)).toBe(LAMPORTS - first - RENT.tokenAccount);
    bench.enqueue(ALICE, 2_000_000n);
    expect(bench.lamports(ALICE)).toBe(LAMPORTS - 2n * first - RENT.tokenAccount);
    expect(bench.held(bench.vaultOf(ALICE))).toBe(3_000_000n);
    expect(bench.queue).toEqual({ collateral: 3_000_000n, nextIssued: 2n, nextPaid: 0n });
  });

  it('prepays nothing for a destination that is not the associated account', () => {
    const bench = new QueueBench();
    const other = bench.collateralOf(PAYER);
    bench.setBalance(other, bench.reserve(0).liquidity.mintPubkey, ALICE, 0n);
    bench.enqueue(ALICE, 1_000_000n, { userDestinationLiquidityTa: other });
    expect(bench.lamports(ticketAt(bench.queued, 0n))).toBe(RENT.ticket);
    expect(bench.lamports(ALICE)).toBe(LAMPORTS - RENT.ticket - RENT.tokenAccount);
    bench.succeed([bench.paying(0n)]);
    expect(bench.held(other)).toBe(1_250_000n);
  });

  it('accepts tokens worth exactly the minimum', () => {
    const bench = new QueueBench();
    expect(bench.failureOf([bench.enqueueing(ALICE, 799_999n)])).toBe(6154);
    bench.enqueue(ALICE, 800_000n);
  });
});

describe('withdrawQueuedLiquidity', () => {
  it('pays a whole ticket, closes it and returns its rent', () => {
    const bench = new QueueBench();
    bench.enqueue(ALICE, 4_000_001n);
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    // 5,000,001.25, of which the fraction stays.
    expect(bench.held(bench.liquidityOf(ALICE))).toBe(5_000_001n);
    const { liquidity, collateral, lastUpdate } = bench.reserve(0);
    expect(liquidity.totalAvailableAmount).toBe(500_000_000_000n - 5_000_001n);
    expect(bench.held(liquidity.supplyVault)).toBe(500_000_000_000n - 5_000_001n);
    expect(collateral.mintTotalSupply).toBe(1_000_000_000_000n - 4_000_001n);
    expect(bench.collateralSupply(0)).toBe(1_000_000_000_000n - 4_000_001n);
    expect(lastUpdate.stale).toBe(1);
    expect(bench.held(bench.vaultOf(ALICE))).toBe(0n);
    expect(bench.queue).toEqual({ collateral: 0n, nextIssued: 1n, nextPaid: 1n });
    expect(bench.ticket(0n)).toBeNull();
    expect(bench.lamports(ALICE)).toBe(LAMPORTS - RENT.tokenAccount);
    expect(bench.lamports(PAYER)).toBe(LAMPORTS);
  });

  it('pays in part what the liquidity covers, to the last base unit', () => {
    const bench = new QueueBench(SHORT);
    bench.enqueue(ALICE, 4_000_001n);
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    // 800,003 tokens are worth 1,000,003.75, which is paid by 1,000,003.
    expect(bench.held(bench.liquidityOf(ALICE))).toBe(1_000_003n);
    expect(bench.ticket(0n)?.queuedCollateralAmount).toBe(3_199_998n);
    expect(bench.held(bench.vaultOf(ALICE))).toBe(3_199_998n);
    expect(bench.queue).toEqual({ collateral: 3_199_998n, nextIssued: 1n, nextPaid: 0n });
    expect(bench.lamports(ticketAt(bench.queued, 0n))).toBe(RENT.ticket + RENT.prepaid);
    expect(bench.failureOf([bench.paying(0n)])).toBe(6008);
    bench.lend(-5_000_000n);
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    // 3,999,997.5 and next to nothing, rounded down.
    expect(bench.held(bench.liquidityOf(ALICE))).toBe(5_000_000n);
    expect(bench.ticket(0n)).toBeNull();
  });

  it('pays one ticket after the other', () => {
    const bench = new QueueBench();
    for (const owner of OWNERS) bench.enqueue(owner, 2_000_000n);
    expect(bench.failureOf([bench.paying(1n)])).toBe(2006);
    bench.succeed([bench.paying(0n)]);
    bench.succeed([bench.paying(1n), bench.paying(2n)]);
    for (const owner of OWNERS) expect(bench.held(bench.liquidityOf(owner))).toBe(2_500_000n);
    expect(bench.queue).toEqual({ collateral: 0n, nextIssued: 3n, nextPaid: 3n });
  });

  it('counts in the cap of outflows', () => {
    const bench = new QueueBench();
    bench.changeReserve({
      config: {
        depositWithdrawalCap: { configCapacity: 2_500_000n, configIntervalLengthSeconds: 86_400n },
      },
    });
    bench.enqueue(ALICE, 2_000_000n);
    bench.enqueue(BOB, 800_000n);
    bench.succeed([bench.paying(0n)]);
    expect(bench.reserve(0).config.depositWithdrawalCap.currentTotal).toBe(2_500_000n);
    expect(bench.failureOf([bench.paying(1n)])).toBe(6064);
  });

  describe('opens a destination that was closed since', () => {
    it('for a payer who gets the rent back', () => {
      const bench = new QueueBench();
      bench.enqueue(ALICE, 4_000_000n);
      bench.closeToken(bench.liquidityOf(ALICE), ALICE);
      const before = bench.lamports(ALICE);
      expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
      expect(bench.held(bench.liquidityOf(ALICE))).toBe(5_000_000n);
      expect(bench.lamports(bench.liquidityOf(ALICE))).toBe(RENT.tokenAccount);
      expect(bench.lamports(PAYER)).toBe(LAMPORTS);
      expect(bench.lamports(ALICE)).toBe(before + RENT.ticket + RENT.prepaid - RENT.tokenAccount);
    });

    it('only to pay the whole ticket', () => {
      const bench = new QueueBench(SHORT);
      bench.enqueue(ALICE, 4_000_001n);
      bench.closeToken(bench.liquidityOf(ALICE), ALICE);
      expect(bench.failureOf([bench.paying(0n)])).toBe(6148);
      bench.lend(-5_000_000n);
      expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    });
  });
});

describe('cancelWithdrawTicket', () => {
  it('returns a part, and leaves the ticket at its place', () => {
    const bench = new QueueBench();
    bench.enqueue(ALICE, 4_000_001n);
    bench.enqueue(BOB, 1_000_000n);
    bench.succeed([bench.cancelling(ALICE, 0n, 3_000_000n)]);
    expect(bench.held(bench.collateralOf(ALICE))).toBe(COLLATERAL - 1_000_001n);
    expect(bench.held(bench.vaultOf(ALICE))).toBe(1_000_001n);
    expect(bench.ticket(0n)?.queuedCollateralAmount).toBe(1_000_001n);
    expect(bench.queue).toEqual({ collateral: 2_000_001n, nextIssued: 2n, nextPaid: 0n });
    expect(bench.reserve(0).lastUpdate.stale).toBe(0);
    expect(bench.failureOf([bench.paying(1n)])).toBe(2006);
  });

  it('returns all to an owner who asks for more than there is, and leaves an empty ticket until its turn', () => {
    const bench = new QueueBench();
    bench.enqueue(ALICE, 4_000_001n);
    bench.enqueue(BOB, 1_000_000n);
    bench.succeed([bench.cancelling(ALICE, 0n, (1n << 64n) - 1n)]);
    expect(bench.held(bench.collateralOf(ALICE))).toBe(COLLATERAL);
    expect(bench.queue).toEqual({ collateral: 1_000_000n, nextIssued: 2n, nextPaid: 0n });
    expect(bench.ticket(0n)?.queuedCollateralAmount).toBe(0n);
    const lamports = bench.lamports(ALICE);
    const before = bench.reserve(0);
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    expect(bench.ticket(0n)).toBeNull();
    expect(bench.lamports(ALICE)).toBe(lamports + RENT.ticket + RENT.prepaid);
    expect(bench.queue).toEqual({ collateral: 1_000_000n, nextIssued: 2n, nextPaid: 1n });
    expect(bench.reserve(0).liquidity.totalAvailableAmount).toBe(before.liquidity.totalAvailableAmount);
    expect(bench.succeed([bench.paying(1n)])).toEqual(PAID);
    expect(bench.held(bench.liquidityOf(BOB))).toBe(1_250_000n);
  });

  it('frees the turn of an empty ticket also while the reserve has no liquidity or its destination is gone', () => {
    const bench = new QueueBench(SHORT);
    bench.enqueue(ALICE, 1_000_000n);
    bench.succeed([bench.cancelling(ALICE, 0n, 1_000_000n)]);
    bench.lend(1_000_003n);
    bench.closeToken(bench.liquidityOf(ALICE), ALICE);
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    expect(bench.get(bench.liquidityOf(ALICE))?.owner).toBe(SYSTEM_PROGRAM);
  });
});
