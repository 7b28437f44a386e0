import type { AccountPage } from '../accounts/account-page.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import type { CatalogueBuilder } from './catalogue.ts';
import { EXPECTED_BYTES, KINDS, type WantedAccount } from './kinds.ts';

export interface CatalogueRead {
  readonly reader: AccountReader;
  /** Receives the accounts and names those that they point to. */
  readonly builder: CatalogueBuilder;
  /** Answers from before this slot are rejected. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/**
 * Reads accounts and the accounts that they point to. Returns the pages read. The links of a kind are followed as soon as
 * all accounts of that kind have arrived: reserves do not wait for vaults, which are many times larger, and it takes hardly
 * more calls than waiting for everything.
 */
export async function readLinked(
  reading: CatalogueRead,
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
    // After a failure, no further links are followed.
    over = true;
  }
  return [...pages];
}

async function readOne(
  { reader, builder, minSlot, signal }: CatalogueRead,
  { kind, address }: WantedAccount,
): Promise<AccountPage> {
  const { account, page } = await reader.read(
    { address, expectedBytes: EXPECTED_BYTES[kind] },
    { minSlot, signal },
  );
  builder.take(kind, address, account, page.slot);
  return page;
}
