import type { Address } from '@solana/kit';
import type { PositionKind } from './position-kinds.ts';

/** An account as it was before the first change of a stretch. */
export interface FormerPosition {
  readonly kind: PositionKind;
  readonly address: Address;
  /** The entry that held it. Null: there was none. */
  readonly entry: number | null;
  /** Null: there was none. */
  readonly packed: Uint8Array | null;
  readonly wallet: Address | null;
  /** Number of its group in the dictionary. */
  readonly group: number | null;
}

/**
 * Positions as they were before the changes from one View to the next. A View looks here first, then in the deltas after
 * it, then in the newest state.
 */
export class PositionDelta {
  /** The changes after these. Null: none yet. */
  next: PositionDelta | null = null;
  readonly #byKey = new Map<string, FormerPosition>();
  /** What each changed entry held at the start. Null: it was free. */
  readonly #byEntry = new Map<number, FormerPosition | null>();
  readonly #byWallet = new Map<string, FormerPosition[]>();
  readonly #byGroup = new Map<string, FormerPosition[]>();

  get size(): number {
    return this.#byKey.size;
  }

  /**
   * Notes what was there before a change, unless an earlier change of the same account was noted.
   *
   * @param isHeld whether the entry holds the account now, or is free
   */
  note(
    entry: number,
    isHeld: boolean,
    read: () => FormerPosition,
    kind: PositionKind,
    address: Address,
  ): void {
    const key = keyOf(kind, address);
    let former = this.#byKey.get(key);
    if (former === undefined) {
      former = read();
      this.#byKey.set(key, former);
      const { wallet, group } = former;
      if (wallet !== null) append(this.#byWallet, keyOf(kind, wallet), former);
      if (group !== null) append(this.#byGroup, keyOf(kind, group), former);
    }
    if (!this.#byEntry.has(entry)) this.#byEntry.set(entry, isHeld ? former : null);
  }

  get(kind: PositionKind, address: Address): FormerPosition | undefined {
    return this.#byKey.get(keyOf(kind, address));
  }

  /** The account that an entry held at the start. Null: it was free. Undefined: it has not changed. */
  ofEntry(entry: number): FormerPosition | null | undefined {
    return this.#byEntry.get(entry);
  }

  /** All entries that have changed. */
  entries(): IterableIterator<[number, FormerPosition | null]> {
    return this.#byEntry.entries();
  }

  all(): Iterable<FormerPosition> {
    return this.#byKey.values();
  }

  ofWallet(kind: PositionKind, wallet: Address): readonly FormerPosition[] {
    return this.#byWallet.get(keyOf(kind, wallet)) ?? [];
  }

  within(kind: PositionKind, group: number): readonly FormerPosition[] {
    return this.#byGroup.get(keyOf(kind, group)) ?? [];
  }
}

const keyOf = (kind: PositionKind, of: Address | number) => `${kind} ${of}`;

function append(map: Map<string, FormerPosition[]>, key: string, former: FormerPosition): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [former]);
  else known.push(former);
}
