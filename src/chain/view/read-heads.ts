import type { AccountPage, ChainAccount } from '../accounts/account-page.ts';
import type { SliceRead } from '../accounts/account-reader.ts';
import { ACCOUNT_HEADS } from './account-heads.ts';
import { KINDS, type WantedAccount } from './kinds.ts';
import type { CatalogueRead } from './read-linked.ts';

/** An account with a new head, to be taken unless its settings have changed. */
interface Patched extends WantedAccount {
  readonly account: ChainAccount;
  /** The slot of the head. */
  readonly slot: bigint;
}

export interface HeadsRead {
  readonly pages: readonly AccountPage[];
  readonly patched: readonly Patched[];
  /** Accounts that have to be read whole. */
  readonly unsettled: readonly WantedAccount[];
}

/** Reads the heads of accounts that are held. */
export async function readHeads(
  { reader, builder, minSlot, signal }: CatalogueRead,
  wanted: readonly WantedAccount[],
): Promise<HeadsRead> {
  const pages = new Set<AccountPage>();
  const patched: Patched[] = [];
  const unsettled: WantedAccount[] = [];
  await Promise.all(
    KINDS.map(async (kind) => {
      const head = ACCOUNT_HEADS[kind];
      const addresses = wanted.filter((each) => each.kind === kind).map(({ address }) => address);
      if (head === undefined || addresses.length === 0) return;
      for (const { address, account, page } of await reader.readHeads(addresses, head.bytes, {
        minSlot,
        signal,
      })) {
        pages.add(page);
        const outcome = builder.takeHead(kind, address, account, page.slot);
        if (outcome === 'UNKNOWN') unsettled.push({ kind, address });
        else if (outcome !== 'TAKEN') patched.push({ kind, address, account: outcome, slot: page.slot });
      }
    }),
  );
  return { pages: [...pages], patched, unsettled };
}

/** Takes the patched accounts whose settings are as before. Returns the others, which have to be read whole. */
export async function settlePatched(
  { reader, builder, minSlot, signal }: CatalogueRead,
  patched: readonly Patched[],
): Promise<readonly WantedAccount[]> {
  const changed: WantedAccount[] = [];
  await Promise.all(
    KINDS.map(async (kind) => {
      const settings = ACCOUNT_HEADS[kind]?.settings;
      const ofKind = patched.filter((each) => each.kind === kind);
      if (settings === undefined || ofKind.length === 0) return;
      const addresses = ofKind.map(({ address }) => address);
      const reads = await reader.readSlices(addresses, settings, { minSlot, signal });
      ofKind.forEach(({ address, account, slot }, i) => {
        const { offset, length } = settings;
        const known = account.data.subarray(offset, offset + length);
        // An answer from before the head may be from before the change, too.
        const isAsBefore = (reads[i]?.slot ?? 0n) >= slot && hasBytes(reads[i], account, known, offset);
        if (isAsBefore) builder.take(kind, address, account, slot);
        else changed.push({ kind, address });
      });
    }),
  );
  return changed;
}

/**
 * Returns the accounts with other settings than those held, which have to be read whole: a setting may change without a trace
 * in the head.
 */
export async function changedUntraced(
  { reader, builder, minSlot, signal }: CatalogueRead,
  wanted: readonly WantedAccount[],
): Promise<readonly WantedAccount[]> {
  const changed: WantedAccount[] = [];
  await Promise.all(
    KINDS.map(async (kind) => {
      const untraced = ACCOUNT_HEADS[kind]?.untraced;
      const ofKind = wanted.filter((each) => each.kind === kind);
      if (untraced === undefined || ofKind.length === 0) return;
      const { offset, length } = untraced;
      const addresses = ofKind.map(({ address }) => address);
      const reads = await reader.readSlices(addresses, untraced, { minSlot, signal });
      ofKind.forEach((each, i) => {
        const held = builder.bytesOf(kind, each.address);
        const known = held?.data.subarray(offset, offset + length);
        if (held === undefined || known === undefined || !hasBytes(reads[i], held, known, offset))
          changed.push(each);
      });
    }),
  );
  return changed;
}

function hasBytes(
  read: SliceRead | undefined,
  { owner, data: whole }: Pick<ChainAccount, 'owner' | 'data'>,
  known: Uint8Array,
  offset: number,
): boolean {
  const account = read?.account ?? null;
  if (account === null || account.owner !== owner) return false;
  // Some proxies ignore slices.
  const isWhole = account.data.length === whole.length;
  const data = isWhole ? account.data.subarray(offset, offset + known.length) : account.data;
  return Buffer.compare(data, known) === 0;
}
