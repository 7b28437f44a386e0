import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import type { CatalogueInput } from '../../src/config/catalogue/format.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { type LendingWorld, startLendingWorld } from '../support/apps/lending-history-app.ts';
import { d } from '../support/history/samples.ts';

interface Reward {
  readonly depositReserve: string | null;
  readonly borrowReserve: string | null;
  readonly tokensEarned: string;
}

let world: LendingWorld;
beforeAll(async () => {
  world = await startLendingWorld();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  await world.forgetEvents();
});

const H = 3_600;

/** The campaigns of the generated world on one side of one reserve. */
function campaignOn(side: 'depositReserve' | 'borrowReserve') {
  const { lendingCampaigns = [] } = worldCatalogue(
    world.localChain.worldChain.world,
    Date.UTC(2026, 5, 1),
  ) as CatalogueInput;
  const other = side === 'depositReserve' ? 'borrowReserve' : 'depositReserve';
  const found = lendingCampaigns.find((each) => each[side] && !each[other]);
  const reserve = found?.[side];
  if (!found || !reserve) throw new Error(`no campaign on a ${side}`);
  return { reserve: reserve as Address, tokensPerSecond: Number(found.tokensPerSecond) };
}

const decoded = (address: Address) =>
  obligationLayout.decode(accountIn(world.localChain, address), MAINNET_PROGRAMS.klend);
const reserveOf = (address: Address) =>
  reserveLayout.decode(accountIn(world.localChain, address), MAINNET_PROGRAMS.klend);
const debtDecimals = (address: Address) => reserveOf(address).liquidity.mintDecimals;
/** Of the token that stands for a deposit; the decimals of a mint are its 45th byte. */
const collateralDecimals = (address: Address) =>
  BigInt(accountIn(world.localChain, reserveOf(address).collateral.mintPubkey).data[44] ?? 0);

/** Somebody whose only position in the reserve, on that side, is of this obligation. */
function holderOf(holds: (address: Address) => boolean): { owner: Address; obligation: Address } {
  const { obligations } = world.localChain.worldChain.world;
  const open = obligations.filter(({ exists, address }) => exists && holds(address));
  const lone = open.find(({ owner }) => open.filter((each) => each.owner === owner).length === 1);
  if (lone === undefined) throw new Error('no wallet has exactly one such position');
  return { owner: lone.owner.address, obligation: lone.address };
}

/** Base units as a decimal text of whole tokens. */
function whole(baseUnits: bigint, decimals: bigint): string {
  const digits = baseUnits.toString().padStart(Number(decimals) + 1, '0');
  const cut = digits.length - Number(decimals);
  return `${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** The rewards paid according to both APIs, which must agree. */
async function earnedBy(owner: Address, side: 'depositReserve' | 'borrowReserve', reserve: Address) {
  const { status, body } = await world.get(`/klend/users/${owner}/rewards`);
  expect([status, body]).toEqual([200, body]);
  const { rewards } = body as { readonly rewards: readonly Reward[] };
  const other = side === 'depositReserve' ? 'borrowReserve' : 'depositReserve';
  const reward = rewards.find((each) => each[side] === reserve && each[other] === null);
  const answer = await world.query<{
    wallet: {
      lendingRewards: {
        rewards: readonly {
          campaign: Record<string, { address: string } | null>;
          earned: { tokens: string | null; complete: boolean };
        }[];
      };
    };
  }>(
    `query ($owner: Address!) { wallet(address: $owner) { lendingRewards { rewards {
      campaign { depositReserve { address } borrowReserve { address } } earned { tokens complete } } } } }`,
    { owner },
  );
  expect(answer.errors).toEqual([]);
  const twin = answer.data.wallet.lendingRewards.rewards.find(
    ({ campaign }) => campaign[side]?.address === reserve && campaign[other] === null,
  );
  expect(reward?.tokensEarned).toBe(twin?.earned.tokens);
  return { tokens: Number(reward?.tokensEarned), complete: twin?.earned.complete };
}

/** Equal but for the base units that a fifth of a deposit cannot be divided into. */
const expectClose = (actual: number, wanted: number) =>
  expect(Math.abs(actual / wanted - 1)).toBeLessThan(1e-6);

describe('the rewards that a campaign has paid to a wallet', () => {
  it('are its part of the deposits while it had them, period by period', async () => {
    const { reserve, tokensPerSecond } = campaignOn('depositReserve');
    const collateralOf = (address: Address) =>
      decoded(address).deposits.find(({ depositReserve }) => depositReserve === reserve)?.depositedAmount ??
      0n;
    const { owner, obligation } = holderOf((address) => collateralOf(address) > 1_000_000n);
    const now = collateralOf(obligation);
    const second = now / 5n;
    const before = now - second;
    const deposit = { kind: 'deposit', side: 'collateral', obligation, owner, reserve } as const;
    // Four fifths came two hours ago, the last fifth half an hour later.
    await world.happened([
      { ...deposit, time: world.secondsAgo(2 * H), collateral: before },
      { ...deposit, time: world.secondsAgo(1.5 * H), collateral: second },
    ]);
    await world.read([owner, obligation]);
    // In the first hour everybody together had 4 times those four fifths, in the second one twice the whole.
    const supply = [before * 4n, now * 2n];
    const decimals = collateralDecimals(reserve);
    await world.record(
      HOUR,
      supply.map((total, i) => ({
        at: world.ago((1 - i) * H + 60),
        solUsd: '100',
        reserves: { [reserve]: { price: '1', changes: { mintTotalSupply: d(whole(total, decimals)) } } },
      })),
    );
    const { tokens, complete } = await earnedBy(owner, 'depositReserve', reserve);
    // 1800 s at 4/5 of 16/5 = 1/4, 1800 s at 5/5 of 16/5 = 5/16, 3600 s at 1/2: 450 + 562.5 + 1800 seconds of all.
    expectClose(tokens, 2_812.5 * tokensPerSecond);
    expect(complete).toBe(true);
  });

  it('are its part of the debts, with the interest of each hour', async () => {
    const { reserve, tokensPerSecond } = campaignOn('borrowReserve');
    const borrowOf = (address: Address) =>
      decoded(address).borrows.find(({ borrowReserve }) => borrowReserve === reserve);
    const { owner, obligation } = holderOf((address) => (borrowOf(address)?.borrowedAmountSf ?? 0n) > 0n);
    const borrow = borrowOf(obligation);
    if (borrow === undefined) throw new Error('no debt');
    // A debt divided by the rate that it has grown by stays the same while it grows; both are in 2^60ths.
    const [low = 0n, high = 0n] = borrow.cumulativeBorrowRateBsf.value;
    const unscaled = (borrow.borrowedAmountSf * 10n ** 12n) / (low + (high << 64n));
    await world.happened([
      {
        kind: 'repay',
        side: 'debt',
        obligation,
        owner,
        reserve,
        time: world.secondsAgo(2 * H),
        liquidity: 1_000n,
      },
    ]);
    await world.read([owner, obligation]);
    // Everybody owed five times as much at a rate of 1, and four times as much at 1.5.
    const decimals = debtDecimals(reserve) + 12n;
    await world.record(
      HOUR,
      (
        [
          ['1', unscaled * 5n],
          ['1.5', unscaled * 6n],
        ] as const
      ).map(([borrowRate, total], i) => ({
        at: world.ago((1 - i) * H + 60),
        solUsd: '100',
        reserves: {
          [reserve]: { price: '1', borrowRate, changes: { totalBorrows: d(whole(total, decimals)) } },
        },
      })),
    );
    const { tokens } = await earnedBy(owner, 'borrowReserve', reserve);
    // 3600 s at 1/5 and 3600 s at 1.5/6 = 1/4: 720 + 900 seconds of all.
    expectClose(tokens, 1_620 * tokensPerSecond);
  });

  it('cover only the recorded time, and are marked as incomplete', async () => {
    const { reserve, tokensPerSecond } = campaignOn('depositReserve');
    const collateralOf = (address: Address) =>
      decoded(address).deposits.find(({ depositReserve }) => depositReserve === reserve)?.depositedAmount ??
      0n;
    const { owner, obligation } = holderOf((address) => collateralOf(address) > 1_000_000n);
    const now = collateralOf(obligation);
    await world.happened([
      {
        kind: 'deposit',
        side: 'collateral',
        obligation,
        owner,
        reserve,
        time: world.secondsAgo(3 * H),
        collateral: now,
      },
    ]);
    await world.read([owner, obligation]);
    await world.record(HOUR, [
      {
        at: world.ago(60),
        solUsd: '100',
        reserves: {
          [reserve]: {
            price: '1',
            changes: { mintTotalSupply: d(whole(now * 10n, collateralDecimals(reserve))) },
          },
        },
      },
    ]);
    const { tokens, complete } = await earnedBy(owner, 'depositReserve', reserve);
    // Of three hours the last one is known: 3600 s at 1/10.
    expectClose(tokens, 360 * tokensPerSecond);
    expect(complete).toBe(false);
  });
});
