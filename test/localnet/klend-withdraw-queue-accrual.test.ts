import { describe, expect, it } from 'vitest';
import { NOW } from '../support/builders/lending-accounts.ts';
import { DEAR, OWNERS, QueueBench, RESERVE } from '../support/localnet/queue-bench.ts';

/** Effects of the withdraw queue's instructions on the rest of the reserve, and of the queue on redemptions. */

const [ALICE, BOB] = OWNERS;
const REWARDS = { market: { reserveRewardsMaxAprBps: 500 }, perUnit: 25n, total: 1_000_000n };

function rewardedBench(): QueueBench {
  const bench = new QueueBench(DEAR, REWARDS.market);
  bench.enqueue(ALICE, 4_000_000n);
  bench.changeReserve({
    liquidity: { rewardsAmountAvailable: REWARDS.total },
    config: { rewardsAmountPerAccrualUnit: REWARDS.perUnit, depositLimit: 1n },
  });
  const { supplyVault } = bench.reserve(0).liquidity;
  bench.changeToken(supplyVault, { amount: bench.held(supplyVault) + REWARDS.total });
  bench.wait(100n);
  return bench;
}

const ACTIONS = [
  ['enqueueToWithdraw', (bench: QueueBench) => bench.enqueueing(BOB, 1_000_000n)],
  ['withdrawQueuedLiquidity', (bench: QueueBench) => bench.paying(0n)],
  ['cancelWithdrawTicket', (bench: QueueBench) => bench.cancelling(ALICE, 0n, 1_000_000n)],
] as const;

describe.each(ACTIONS)('%s', (_, action) => {
  it('leaves the reserve as after a refresh of its own', () => {
    const [alone, refreshed] = [rewardedBench(), rewardedBench()];
    refreshed.refresh();
    const { liquidity, lastUpdate } = refreshed.reserve(0);
    expect(liquidity.borrowedAmountSf).toBeGreaterThan(rewardedBench().reserve(0).liquidity.borrowedAmountSf);
    expect(lastUpdate.slot).toBe(NOW.slot + 100n);
    for (const bench of [alone, refreshed]) bench.succeed([action(bench)]);
    expect(alone.account(RESERVE).data).toEqual(refreshed.account(RESERVE).data);
  });

  it('gives rewards, and notes that the deposit limit is exceeded', () => {
    const bench = rewardedBench();
    bench.succeed([action(bench)]);
    const { liquidity } = bench.reserve(0);
    // 100 slots at 25 base units each; the market would allow 99,000.
    expect(liquidity.rewardsAmountAvailable).toBe(997_500n);
    expect(liquidity.depositLimitCrossedTimestamp).toBe(NOW.timestamp + 40n);
    expect(bench.held(liquidity.supplyVault)).toBe(liquidity.totalAvailableAmount + 997_500n);
  });
});

describe('liquidity of 1.000003 tokens, of which half a token is owed to the queue', () => {
  function queuedBench(): QueueBench {
    const short = { available: 1_000_003n, borrowed: 1_249_998_999_997n, collateral: 1_000_000_000_000n };
    const bench = new QueueBench(short, { minWithdrawQueuedLiquidityValue: 0n });
    bench.enqueue(ALICE, 400_000n);
    return bench;
  }

  it('pays redemptions from the other half alone', () => {
    const bench = queuedBench();
    // 400,003 tokens are worth 500,003.75, which is paid by 500,003; one more would take 500,005.
    expect(bench.failureOf([bench.redeeming(BOB, 400_004n)])).toBe(6008);
    bench.succeed([bench.redeeming(BOB, 400_003n)]);
    expect(bench.held(bench.liquidityOf(BOB))).toBe(500_003n);
    bench.succeed([bench.paying(0n)]);
    expect(bench.held(bench.liquidityOf(ALICE))).toBe(500_000n);
  });

  it('is free again once the ticket is cancelled', () => {
    const bench = queuedBench();
    bench.succeed([bench.cancelling(ALICE, 0n, 400_000n), bench.redeeming(BOB, 800_003n)]);
    expect(bench.held(bench.liquidityOf(BOB))).toBe(1_000_003n);
  });
});
