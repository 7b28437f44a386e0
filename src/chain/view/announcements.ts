import type { Address } from '@solana/kit';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { CatalogueBuilder } from './catalogue.ts';
import type { Kind } from './kinds.ts';

interface Announcement {
  readonly kind: Kind;
  readonly address: Address;
  readonly slot: bigint;
  /** Null: closed. */
  readonly account: ChainAccount | null;
}

/** Changes that sources have announced since the last View, the newest of each account. */
export class Announcements {
  readonly #newest = new Map<string, Announcement>();

  get isEmpty(): boolean {
    return this.#newest.size === 0;
  }

  add(change: Announcement): void {
    const key = `${change.kind} ${change.address}`;
    const known = this.#newest.get(key);
    if (known === undefined || known.slot <= change.slot) this.#newest.set(key, change);
  }

  /** Moves the changes of accounts that the catalogue wants into the builder. Keeps the others. */
  takeWanted(builder: CatalogueBuilder): void {
    for (const [key, change] of this.#newest) {
      if (!builder.wants(change.kind, change.address)) continue;
      this.#newest.delete(key);
      const { kind, address, account, slot } = change;
      if (account === null) builder.close(kind, address, slot);
      else builder.take(kind, address, account, slot);
    }
  }

  /** Moves the changes of wanted accounts into the builder and drops the others. */
  takeAll(builder: CatalogueBuilder): void {
    this.takeWanted(builder);
    this.clear();
  }

  clear(): void {
    this.#newest.clear();
  }
}
