import type { Address } from '@solana/kit';
import { checkLength, checkOwner, malformed, type RawAccount, viewOf } from '../layout/account.ts';
import { publicKey, u8, u32, u64 } from '../layout/codec.ts';
import { struct } from '../layout/struct.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../program-ids.ts';
import { type Extension, encodeExtended, readExtensions } from './extensions.ts';

const TOKEN_ACCOUNT_TYPE = 2;
const INITIALIZED = 1;
const FROZEN = 2;

const layout = struct({
  mint: publicKey,
  owner: publicKey,
  amount: u64,
  delegateTag: u32,
  delegate: publicKey,
  state: u8,
  nativeTag: u32,
  nativeRent: u64,
  delegatedAmount: u64,
  closeAuthorityTag: u32,
  closeAuthority: publicKey,
});

export const TOKEN_ACCOUNT_BYTES = layout.size;
/** Field offsets, for memcmp filters. */
export const TOKEN_ACCOUNT_OFFSETS = layout.offsets;

/** A balance of one mint, of either token program. */
export interface TokenAccount {
  readonly tokenProgram: Address;
  readonly mint: Address;
  readonly owner: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** Lamports reserved for rent when the account holds wrapped SOL; null otherwise. */
  readonly nativeRentLamports: bigint | null;
  readonly closeAuthority: Address | null;
  readonly extensions: readonly Extension[];
  /** Length of the account in bytes: Token-2022 accounts may have unused space after their extensions. */
  readonly size: number;
}

export function decodeTokenAccount(account: RawAccount): TokenAccount {
  checkOwner('TokenAccount', account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);
  checkLength('TokenAccount', account, layout.size);
  const raw = layout.read(viewOf(account.data), 0);
  if (account.owner === TOKEN_PROGRAM && account.data.length !== layout.size) {
    throw malformed('TokenAccount', account, `it has ${account.data.length} bytes, not ${layout.size}`);
  }
  if (raw.state !== INITIALIZED && raw.state !== FROZEN) {
    throw malformed('TokenAccount', account, 'it is not initialised');
  }
  if (raw.delegateTag > 1 || raw.nativeTag > 1 || raw.closeAuthorityTag > 1) {
    throw malformed('TokenAccount', account, 'an optional field is neither present nor absent');
  }
  return {
    tokenProgram: account.owner,
    mint: raw.mint,
    owner: raw.owner,
    amount: raw.amount,
    delegate: raw.delegateTag === 1 ? raw.delegate : null,
    delegatedAmount: raw.delegatedAmount,
    frozen: raw.state === FROZEN,
    nativeRentLamports: raw.nativeTag === 1 ? raw.nativeRent : null,
    closeAuthority: raw.closeAuthorityTag === 1 ? raw.closeAuthority : null,
    extensions: readExtensions('TokenAccount', account, layout.size, TOKEN_ACCOUNT_TYPE),
    size: account.data.length,
  };
}

export function encodeTokenAccount(
  account: Omit<TokenAccount, 'tokenProgram' | 'size'> & { readonly size?: number },
): Uint8Array {
  const base = new Uint8Array(layout.size);
  layout.write(viewOf(base), 0, {
    mint: account.mint,
    owner: account.owner,
    amount: account.amount,
    delegateTag: account.delegate === null ? 0 : 1,
    delegate: account.delegate ?? undefined,
    state: account.frozen ? FROZEN : INITIALIZED,
    nativeTag: account.nativeRentLamports === null ? 0 : 1,
    nativeRent: account.nativeRentLamports ?? undefined,
    delegatedAmount: account.delegatedAmount,
    closeAuthorityTag: account.closeAuthority === null ? 0 : 1,
    closeAuthority: account.closeAuthority ?? undefined,
  });
  return encodeExtended(base, TOKEN_ACCOUNT_TYPE, account.extensions, account.size);
}
