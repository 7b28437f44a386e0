import type { AccountPage } from '../accounts/account-page.ts';
import type { WantedAccount } from './kinds.ts';
import { changedUntraced } from './read-heads.ts';
import { type CatalogueRead, readLinked } from './read-linked.ts';

/** Reads accounts whole whose settings have changed without a trace in their head. */
export async function readUntraced(
  reading: CatalogueRead,
  heads: readonly WantedAccount[],
  readWhole: readonly WantedAccount[],
): Promise<readonly AccountPage[]> {
  const others = new Set(readWhole.map(({ address }) => address));
  const kept = heads.filter(({ address }) => !others.has(address));
  return await readLinked(reading, await changedUntraced(reading, kept));
}
