import type { AccountPage } from './account-page.ts';
import type { WantedAccount } from './catalogue.ts';
import { HEADS } from './heads.ts';
import { KINDS } from './kinds.ts';
import type { Reading } from './read-linked.ts';

export interface HeadsRead {
  readonly pages: readonly AccountPage[];
  /** Accounts that have to be read whole. */
  readonly unsettled: readonly WantedAccount[];
}

/** Reads the heads of accounts that are held. */
export async function readHeads(
  { reader, builder, minSlot, signal }: Reading,
  wanted: readonly WantedAccount[],
): Promise<HeadsRead> {
  const pages = new Set<AccountPage>();
  const unsettled: WantedAccount[] = [];
  await Promise.all(
    KINDS.map(async (kind) => {
      const head = HEADS[kind];
      const addresses = wanted.filter((each) => each.kind === kind).map(({ address }) => address);
      if (head === undefined || addresses.length === 0) return;
      for (const { address, account, page } of await reader.readHeads(addresses, head.bytes, {
        minSlot,
        signal,
      })) {
        pages.add(page);
        if (!builder.takeHead(kind, address, account, page.slot)) unsettled.push({ kind, address });
      }
    }),
  );
  return { pages: [...pages], unsettled };
}
