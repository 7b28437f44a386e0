import type { Address } from '@solana/kit';
import { growingLru } from '../../node/growing-lru.ts';

/** At most two kilobytes each: up to 13 reserves, some referrer states and a table. */
const CACHED_OBLIGATIONS = 4_096;

/** Addresses, not contents, of the accounts that obligations referred to when actions on them were last built. */
export class ObligationReads {
  readonly #references = growingLru<Address, readonly Address[]>(CACHED_OBLIGATIONS);

  /** Undefined for an obligation without a build. */
  of(obligation: Address): readonly Address[] | undefined {
    return this.#references.get(obligation);
  }

  remember(obligation: Address, references: readonly Address[]): void {
    this.#references.set(obligation, references);
  }
}
