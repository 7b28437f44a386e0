import type { AccountPage } from './account-page.ts';
import type { AccountReader } from './account-reader.ts';
import type { CatalogueBuilder, WantedAccount } from './catalogue.ts';
import { EXPECTED_BYTES, KINDS } from './kinds.ts';

export interface Reading {
  readonly reader: AccountReader;
  /** Takes what is read, and tells what that points to. */
  readonly builder: CatalogueBuilder;
  /** An answer from before this slot is not taken. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/**
 * Reads accounts and what they point to, and tells the pages that they came with. What a kind points to is asked for as soon
 * as all of that kind are there: reserves do not wait for vaults, which are many times as large, and it takes hardly more
 * calls than asking when everything is there.
 */
export async function readLinked(
  reading: Reading,
  wanted: readonly WantedAccount[],
): Promise<readonly AccountPage[]> {
  const pages = new Set<AccountPage>();
  let over = false;
  const readOn = async (some: readonly WantedAccount[]): Promise<void> => {
    await Promise.all(
      KINDS.map(async (kind) => {
        const ofKind = some.filter((each) => each.kind === kind);
        if (ofKind.length === 0) return;
        await Promise.all(ofKind.map(async (each) => pages.add(await readOne(reading, each))));
        if (!over) await readOn(reading.builder.unread(kind));
      }),
    );
  };
  try {
    await readOn(wanted);
  } finally {
    // One that has failed asks for nothing more.
    over = true;
  }
  return [...pages];
}

async function readOne(
  { reader, builder, minSlot, signal }: Reading,
  { kind, address }: WantedAccount,
): Promise<AccountPage> {
  const { account, page } = await reader.read(
    { address, expectedBytes: EXPECTED_BYTES[kind] },
    { minSlot, signal },
  );
  builder.take(kind, address, account, page.slot);
  return page;
}
