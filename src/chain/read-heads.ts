import type { AccountPage } from './account-page.ts';
import type { WantedAccount } from './catalogue.ts';
import { HEADS } from './heads.ts';
import { KINDS } from './kinds.ts';
import { type Reading, readLinked } from './read-linked.ts';

/**
 * Reads the heads of accounts that are held, and then the accounts whose head says that more has changed. Returns the pages
 * read.
 */
export async function readHeads(
  reading: Reading,
  wanted: readonly WantedAccount[],
): Promise<readonly AccountPage[]> {
  const { reader, builder, minSlot, signal } = reading;
  const pages = await Promise.all(
    KINDS.map(async (kind) => {
      const head = HEADS[kind];
      const addresses = wanted.filter((each) => each.kind === kind).map(({ address }) => address);
      if (head === undefined || addresses.length === 0) return [];
      const reads = await reader.readHeads(addresses, head.bytes, { minSlot, signal });
      const rest = reads.flatMap(({ address, account, page }) =>
        builder.takeHead(kind, address, account, page.slot) ? [] : [{ kind, address }],
      );
      return [...new Set(reads.map(({ page }) => page)), ...(await readLinked(reading, rest))];
    }),
  );
  return pages.flat();
}
