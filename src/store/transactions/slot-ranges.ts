import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Tables } from '../sql.ts';

/** Slots from the first to the last, both included. */
export interface SlotRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** What is known to be stored of the transactions with the programs. */
export interface SlotCoverage {
  /** Ascending. Every transaction in these slots is stored; they neither overlap nor touch. */
  readonly ranges: readonly SlotRange[];
  /** When the newest end last moved, by the clock of the process that wrote it; null when there is none. */
  readonly writtenAt: Date | null;
}

/** Names the set of transactions that ranges are about: those with these programs. */
export function scopeOf({ klend, kvault, farms }: ProgramIds): string {
  return [klend, kvault, farms].join(',');
}

export async function readCoverage({ models }: Pick<Tables, 'models'>, scope: string): Promise<SlotCoverage> {
  const rows = await models.ingestSlots.findMany({ where: { scope }, orderBy: { fromSlot: 'asc' } });
  return {
    ranges: rows.map(({ fromSlot, toSlot }) => ({ from: fromSlot, to: toSlot })),
    writtenAt: rows.at(-1)?.writtenAt ?? null,
  };
}

/** Adds a range and joins it with those that it overlaps or touches. Call it under the lock of pages. */
export async function addRange(
  { models }: Pick<Tables, 'models'>,
  scope: string,
  { from, to }: SlotRange,
): Promise<void> {
  const touching = { scope, fromSlot: { lte: to + 1n }, toSlot: { gte: from - 1n } };
  const known = await models.ingestSlots.findMany({ where: touching, orderBy: { fromSlot: 'asc' } });
  const [first] = known;
  const joined = {
    fromSlot: lowest(
      from,
      known.map(({ fromSlot }) => fromSlot),
    ),
    toSlot: highest(
      to,
      known.map(({ toSlot }) => toSlot),
    ),
  };
  const writtenAt = new Date();
  if (known.length === 1 && first?.fromSlot === joined.fromSlot) {
    const where = { scope_fromSlot: { scope, fromSlot: joined.fromSlot } };
    await models.ingestSlots.update({ where, data: { toSlot: joined.toSlot, writtenAt } });
    return;
  }
  if (known.length > 0) await models.ingestSlots.deleteMany({ where: touching });
  await models.ingestSlots.create({ data: { scope, ...joined, writtenAt } });
}

/** Joins neighbours in a list in ascending order. */
export function joinRanges(ranges: readonly SlotRange[]): SlotRange[] {
  const joined: SlotRange[] = [];
  for (const { from, to } of ranges) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to + 1n) joined.push({ from, to });
    else joined[joined.length - 1] = { from: last.from, to: highest(to, [last.to]) };
  }
  return joined;
}

/** The slots between the ranges, oldest first: transactions there may be missing. */
export function gapsIn(ranges: readonly SlotRange[]): SlotRange[] {
  return ranges.slice(1).map(({ from }, i) => ({ from: (ranges[i]?.to ?? from) + 1n, to: from - 1n }));
}

/** What the ranges prove: everything from one slot to another is stored, except for the gaps. */
export interface CoverageSummary {
  readonly from: bigint;
  readonly to: bigint;
  readonly gaps: number;
  /** Slots in the gaps. */
  readonly missingSlots: bigint;
}

/** Null when nothing is proven. */
export function summaryOf({ ranges }: Pick<SlotCoverage, 'ranges'>): CoverageSummary | null {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return null;
  const gaps = gapsIn(ranges);
  const missingSlots = gaps.reduce((sum, { from, to }) => sum + to - from + 1n, 0n);
  return { from: first.from, to: last.to, gaps: gaps.length, missingSlots };
}

const lowest = (value: bigint, others: readonly bigint[]) => others.reduce((a, b) => (b < a ? b : a), value);
const highest = (value: bigint, others: readonly bigint[]) => others.reduce((a, b) => (b > a ? b : a), value);
