import type { Address } from '@solana/kit';
import { checkLength, checkOwner, malformed, type RawAccount, viewOf } from '../layout/account.ts';
import { bytes, publicKey, u8, u32, u64 } from '../layout/codec.ts';
import { struct } from '../layout/struct.ts';
import { LOOKUP_TABLE_PROGRAM } from '../program-ids.ts';

const INITIALIZED = 1;
const MAX_ENTRIES = 256;
const ADDRESS_BYTES = 32;
/** `deactivationSlot` of an active table. */
const NEVER = (1n << 64n) - 1n;

const header = struct({
  state: u32,
  deactivationSlot: u64,
  lastExtendedSlot: u64,
  lastExtendedStartIndex: u8,
  authorityTag: u8,
  authority: publicKey,
  padding: bytes(2),
});

/** An address lookup table; transactions refer to its entries by index. */
export interface LookupTable {
  /** Null while the table is active. */
  readonly deactivationSlot: bigint | null;
  readonly lastExtendedSlot: bigint;
  readonly lastExtendedStartIndex: number;
  readonly authority: Address | null;
  readonly addresses: readonly Address[];
}

export function decodeLookupTable(account: RawAccount): LookupTable {
  checkOwner('LookupTable', account, [LOOKUP_TABLE_PROGRAM]);
  checkLength('LookupTable', account, header.size);
  const view = viewOf(account.data);
  const raw = header.read(view, 0);
  const entryBytes = account.data.length - header.size;
  if (raw.state !== INITIALIZED) throw malformed('LookupTable', account, 'it is not initialised');
  if (raw.authorityTag > 1)
    throw malformed('LookupTable', account, 'its authority is neither present nor absent');
  if (entryBytes % ADDRESS_BYTES !== 0 || entryBytes > MAX_ENTRIES * ADDRESS_BYTES) {
    throw malformed(
      'LookupTable',
      account,
      `${entryBytes} bytes of entries are not a list of at most 256 addresses`,
    );
  }
  let addresses: readonly Address[] | undefined;
  return {
    deactivationSlot: raw.deactivationSlot === NEVER ? null : raw.deactivationSlot,
    lastExtendedSlot: raw.lastExtendedSlot,
    lastExtendedStartIndex: raw.lastExtendedStartIndex,
    // Lazy: a View has a table for each vault, and few are ever used.
    get authority() {
      return raw.authorityTag === 1 ? raw.authority : null;
    },
    get addresses() {
      addresses ??= entriesOf(view);
      return addresses;
    },
  };
}

/**
 * Number of entries that transactions can refer to at a slot: none of a deactivated table, and none of those that were
 * appended in that slot or later.
 */
export function usableLength(
  { deactivationSlot, lastExtendedSlot, lastExtendedStartIndex, addresses }: LookupTable,
  slot: bigint,
): number {
  if (deactivationSlot !== null) return 0;
  return lastExtendedSlot < slot ? addresses.length : Math.min(lastExtendedStartIndex, addresses.length);
}

function entriesOf(view: DataView): Address[] {
  const addresses: Address[] = [];
  for (let offset = header.size; offset < view.byteLength; offset += ADDRESS_BYTES) {
    addresses.push(publicKey.read(view, offset));
  }
  return addresses;
}

export function encodeLookupTable(table: LookupTable): Uint8Array {
  const data = new Uint8Array(header.size + table.addresses.length * ADDRESS_BYTES);
  const view = viewOf(data);
  header.write(view, 0, {
    state: INITIALIZED,
    deactivationSlot: table.deactivationSlot ?? NEVER,
    lastExtendedSlot: table.lastExtendedSlot,
    lastExtendedStartIndex: table.lastExtendedStartIndex,
    authorityTag: table.authority === null ? 0 : 1,
    authority: table.authority ?? undefined,
  });
  table.addresses.forEach((address, i) => {
    publicKey.write(view, header.size + i * ADDRESS_BYTES, address);
  });
  return data;
}
