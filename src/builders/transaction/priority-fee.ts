import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { type Address, isWritableRole } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { distinct } from '../read-accounts.ts';
import type { ComputeOptions } from './compute-budget.ts';

/** The percentile of recent prices that each level pays. */
const PERCENTILES = { LOW: 25, MEDIUM: 50, HIGH: 90 } as const;

/** Payment for a place in a block, relative to that of others. */
export type PriorityLevel = keyof typeof PERCENTILES;

/** An RPC answers for at most this many accounts. */
const MAX_ACCOUNTS = 128;
/**
 * The highest price by level, micro-lamports per compute unit: 0.014 SOL for the largest transaction. The prices come from
 * an RPC, which must not decide alone how much a wallet pays. A caller who wants more names a price.
 */
export const MAX_LEVEL_PRICE = 10_000_000n;

export interface PriorityOptions extends ComputeOptions {
  /** Chooses the price from recent ones; excludes an explicit price. */
  readonly priorityFee?: PriorityLevel;
}

/** Rejects a level beside an explicit price. */
export function checkPriority({ priorityFee, priorityFeeMicroLamports }: PriorityOptions): void {
  if (priorityFee === undefined || priorityFeeMicroLamports === undefined) return;
  const reason = 'both a level and a price are given; pass `priorityFee` or `priorityFeeMicroLamports`';
  throw new SluiceError('PRIORITY_FEE_INVALID', { reason });
}

/** The accounts whose recent prices count: those that the instructions write to. */
export function pricedAccounts(instructions: readonly EncodedInstruction[]): Address[] {
  const written = instructions.flatMap(({ accounts }) => accounts.filter(({ role }) => isWritableRole(role)));
  return distinct(written.map(({ address }) => address)).slice(0, MAX_ACCOUNTS);
}

/**
 * The price of a level by nearest rank, micro-lamports per compute unit.
 *
 * @param recent the least price that was enough for these accounts, one per recent slot; none means no competition
 */
export function priceOfLevel(level: PriorityLevel, recent: readonly bigint[]): bigint {
  const sorted = [...recent].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = Math.ceil((PERCENTILES[level] * sorted.length) / 100);
  const price = sorted[Math.max(rank, 1) - 1] ?? 0n;
  return price < MAX_LEVEL_PRICE ? price : MAX_LEVEL_PRICE;
}
