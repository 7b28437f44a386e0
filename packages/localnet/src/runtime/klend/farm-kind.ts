import { aborted } from '../anchor.ts';

/** The side of a position that a farm rewards. */
export type FarmKind = 'collateral' | 'debt';

const KINDS: readonly FarmKind[] = ['collateral', 'debt'];

/** By the `mode` argument of farm instructions. */
export function farmKind(mode: number): FarmKind {
  const kind = KINDS[mode];
  if (kind === undefined) throw aborted();
  return kind;
}
