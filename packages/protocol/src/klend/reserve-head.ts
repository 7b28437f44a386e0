import { viewOf } from '../layout/account.ts';
import { lastUpdate } from './last-update.ts';
import { reserve, reserveLiquidity } from './reserve.ts';
import { reserveConfig } from './reserve-config.ts';

const LIQUIDITY = reserve.offsetOf('liquidity');

/** The bytes before the padding of the liquidity: last refresh, market, farms, amounts and price. */
export const RESERVE_HEAD_BYTES = LIQUIDITY + reserveLiquidity.offsets.padding2;

/**
 * The settings before the fees: interest basis, emergency mode, rates of fees, loan-to-value and bonuses. Changing one marks the
 * reserve as stale, but a refresh in the same interval hides that, and the head shows no trace of it.
 */
export const RESERVE_SETTINGS = {
  offset: reserve.offsetOf('config'),
  length: reserveConfig.offsets.fees,
} as const;

/** Moved from the second to the first by a refresh, if the reserve has rewards of its own. */
const REWARDED = ['totalAvailableAmount', 'rewardsAmountAvailable'] as const;

/** Fields that a refresh writes. Everything else in the head belongs to other instructions. */
const REFRESHED: readonly (keyof typeof reserveLiquidity.fields)[] = [
  'borrowedAmountSf',
  'marketPriceSf',
  'marketPriceLastUpdatedTs',
  'cumulativeBorrowRateBsf',
  'accumulatedProtocolFeesSf',
  'accumulatedReferrerFeesSf',
  'pendingReferrerFeesSf',
  ...REWARDED,
];

/** Half a base unit, scaled by 2^60. */
const HALF_UNIT_SF = 1n << 59n;

/**
 * Whether the reserve was only refreshed since its last head was read, so that the bytes after the head are as before, but for
 * settings. Other instructions mark the reserve as stale, or move liquidity or debt.
 */
export function isOnlyRefreshed(before: Uint8Array, head: Uint8Array): boolean {
  return (
    isFresh(head) &&
    fixedOf(before).equals(fixedOf(head)) &&
    onlyAccrued(before, head) &&
    onlyRewarded(before, head)
  );
}

function isFresh(head: Uint8Array): boolean {
  return lastUpdate.read(viewOf(head), reserve.offsetOf('lastUpdate')).stale === 0;
}

/** The head without the fields that a refresh writes. */
function fixedOf(data: Uint8Array): Buffer {
  const fixed = Buffer.from(data.subarray(0, RESERVE_HEAD_BYTES));
  const updated = reserve.offsetOf('lastUpdate');
  fixed.fill(0, updated, updated + lastUpdate.size);
  for (const field of REFRESHED) {
    const start = LIQUIDITY + reserveLiquidity.offsets[field];
    fixed.fill(0, start, start + reserveLiquidity.fields[field].size);
  }
  return fixed;
}

/** Interest multiplies debt and cumulative rate by the same factor. A loan or repayment changes the debt by a unit or more. */
function onlyAccrued(before: Uint8Array, head: Uint8Array): boolean {
  const [old, now] = [before, head].map(debtOf);
  if (old === undefined || now === undefined) return false;
  const difference = now.debt * old.rate - old.debt * now.rate;
  const bound = HALF_UNIT_SF * old.rate;
  return -bound <= difference && difference <= bound;
}

/** Rewards move inside the supply vault; every other instruction changes what it holds. */
function onlyRewarded(before: Uint8Array, head: Uint8Array): boolean {
  const [old, now] = [before, head].map((data) => reserveLiquidity.read(viewOf(data), LIQUIDITY));
  if (old === undefined || now === undefined) return false;
  const held = ({ totalAvailableAmount, rewardsAmountAvailable }: typeof old) =>
    totalAvailableAmount + rewardsAmountAvailable;
  return held(old) === held(now) && now.totalAvailableAmount >= old.totalAvailableAmount;
}

function debtOf(data: Uint8Array): { readonly debt: bigint; readonly rate: bigint } {
  const { borrowedAmountSf, cumulativeBorrowRateBsf } = reserveLiquidity.read(viewOf(data), LIQUIDITY);
  const rate = cumulativeBorrowRateBsf.value.reduceRight((sum, limb) => (sum << 64n) | limb, 0n);
  return { debt: borrowedAmountSf, rate };
}
