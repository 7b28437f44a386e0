import type { Address } from '@solana/kit';
import { ACCOUNT_HEADS } from './account-heads.ts';
import type { CatalogueBuilder } from './catalogue.ts';
import { KINDS, type Kind, type WantedAccount } from './kinds.ts';
import { KINDS_OF, type Round } from './read-schedule.ts';

/** The accounts of a round's kinds that are not announced, and those that discovery has just found. */
export function wantedIn(
  round: Round,
  builder: CatalogueBuilder,
  found: ReadonlyMap<Kind, ReadonlySet<Address>>,
  announcedKinds: ReadonlySet<Kind>,
): { readonly heads: readonly WantedAccount[]; readonly whole: readonly WantedAccount[] } {
  const heads: WantedAccount[] = [];
  const whole: WantedAccount[] = [];
  for (const kind of KINDS) {
    const known = new Set(builder.known(kind));
    const discovered = found.get(kind) ?? [];
    const isPolled = round === 'whole' || !announcedKinds.has(kind);
    const wanted =
      isPolled && KINDS_OF[round].includes(kind)
        ? new Set([...discovered, ...known])
        : [...discovered].filter((address) => !known.has(address));
    const byHead = new Set(round === 'whole' || ACCOUNT_HEADS[kind] === undefined ? [] : builder.held(kind));
    for (const address of wanted) (byHead.has(address) ? heads : whole).push({ kind, address });
  }
  return { heads, whole };
}
