import { Decimal } from '@sluice/client';
import type { VaultChange } from './vault-documents.ts';

/** The changes of one transaction: a move of tokens, or new terms. */
export interface Move {
  readonly signature: string;
  readonly createdAt: string;
  readonly by: string;
  /** Whole tokens that moved. Null when only terms changed. */
  readonly amount: Decimal | null;
  /** Says what was done, without who and how much: `from Treasury to Harbor`. */
  readonly words: string;
}

const IN_VAULT = 'the vault';
const LISTED = 2;

/**
 * Changes of a vault by transaction, in their order. Tokens go from a reserve through the vault to another: what comes out of
 * one and goes into another in the same transaction is one move.
 */
export function movesOf(changes: readonly VaultChange[], names: ReadonlyMap<string, string>): Move[] {
  const sorted = new Map<string, VaultChange[]>();
  for (const change of changes)
    sorted.set(change.signature, [...(sorted.get(change.signature) ?? []), change]);
  return [...sorted].flatMap(([signature, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { createdAt, by } = first;
    return [{ signature, createdAt, by, ...wordsOf(all, names) }];
  });
}

function wordsOf(
  changes: readonly VaultChange[],
  names: ReadonlyMap<string, string>,
): Pick<Move, 'amount' | 'words'> {
  const nameOf = ({ reserveAddress, reserve }: VaultChange): string =>
    reserveAddress === null
      ? IN_VAULT
      : (names.get(reserveAddress) ?? reserve?.market?.name ?? `${reserveAddress.slice(0, 4)}…`);
  const into: VaultChange[] = [];
  const out: VaultChange[] = [];
  const sums = { into: Decimal.ZERO, out: Decimal.ZERO };
  for (const change of changes) {
    if (change.kind !== 'MOVE' || change.moved === null) continue;
    const moved = Decimal.of(change.moved);
    if (moved.isNegative) {
      out.push(change);
      sums.out = sums.out.plus(moved.abs());
    } else {
      into.push(change);
      sums.into = sums.into.plus(moved);
    }
  }
  if (into.length + out.length > 0)
    return {
      amount: Decimal.max(sums.into, sums.out),
      words: `from ${out.length === 0 ? IN_VAULT : listed(out.map(nameOf))} to ${into.length === 0 ? IN_VAULT : listed(into.map(nameOf))}`,
    };
  const removed = changes.filter(({ kind }) => kind === 'REMOVE');
  if (removed.length > 0) return { amount: null, words: `removed ${listed(removed.map(nameOf))}` };
  const targets = changes.filter(({ kind }) => kind === 'SET_TARGET');
  return {
    amount: null,
    words:
      targets.length === 0
        ? 'changed what stays in the vault'
        : `set the weight or cap of ${listed(targets.map(nameOf))}`,
  };
}

/** `A, B and 3 more`; each name once. */
export function listed(names: readonly string[]): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, all.length === LISTED + 1 ? LISTED + 1 : LISTED);
  const more = all.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}
