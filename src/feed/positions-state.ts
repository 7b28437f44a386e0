import { crc32 } from 'node:zlib';
import type { PositionAccount } from '../chain/positions/position-kinds.ts';
import type { Positions } from '../chain/positions/positions.ts';

/**
 * Identity of positions by their contents, the same in all processes. It tells whether changes apply to what a process holds,
 * and whether the result is what the reader has. It is no protection against strangers: that is the tag of a message.
 */
export interface PositionsState {
  readonly count: number;
  /** Sum over all accounts, below 2^48. */
  readonly checksum: number;
}

export const NO_POSITIONS: PositionsState = { count: 0, checksum: 0 };

const MODULUS = 2 ** 48;

export const isSameState = (a: PositionsState, b: PositionsState): boolean =>
  a.count === b.count && a.checksum === b.checksum;

/** The state after an account was added. */
export const withPosition = ({ count, checksum }: PositionsState, position: PositionAccount) => ({
  count: count + 1,
  checksum: (checksum + hashOf(position)) % MODULUS,
});

/** The state after an account was removed. */
export const withoutPosition = ({ count, checksum }: PositionsState, position: PositionAccount) => ({
  count: count - 1,
  checksum: (checksum + MODULUS - hashOf(position)) % MODULUS,
});

function hashOf({ kind, account }: PositionAccount): number {
  const { address, owner, data, slot, lamports } = account;
  let hash = crc32(`${kind} ${address} ${owner} ${slot} ${lamports} ${data.length}`, crc32(data));
  // Checksums of similar accounts are related linearly, which a sum could cancel.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** States of positions in Views. Counting anew would read every account. */
export class KnownStates {
  readonly #states = new WeakMap<Positions, PositionsState>();

  of(positions: Positions | null | undefined): PositionsState | null {
    return positions ? (this.#states.get(positions) ?? null) : null;
  }

  set(positions: Positions, state: PositionsState): void {
    this.#states.set(positions, state);
  }
}
