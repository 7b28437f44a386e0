import type { Address } from '@solana/kit';
import { checkLength, checkOwner, malformed, type RawAccount, viewOf } from '../layout/account.ts';
import { publicKey, u8, u32, u64 } from '../layout/codec.ts';
import { type StructOf, struct } from '../layout/struct.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../program-ids.ts';
import { type Extension, encodeExtended, readExtensions } from './extensions.ts';

const MINT_ACCOUNT_TYPE = 1;

const layout = struct({
  mintAuthorityTag: u32,
  mintAuthority: publicKey,
  supply: u64,
  decimals: u8,
  isInitialized: u8,
  freezeAuthorityTag: u32,
  freezeAuthority: publicKey,
});

/** A token mint of either token program. */
export interface Mint {
  readonly tokenProgram: Address;
  readonly mintAuthority: Address | null;
  /** Base units. */
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Address | null;
  /** In the account's order; empty for SPL Token. */
  readonly extensions: readonly Extension[];
  /** Length of the account in bytes: Token-2022 accounts may have unused space after their extensions. */
  readonly size: number;
}

export function decodeMint(account: RawAccount): Mint {
  checkOwner('Mint', account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);
  checkLength('Mint', account, layout.size);
  const raw: StructOf<typeof layout.fields> = layout.read(viewOf(account.data), 0);
  if (account.owner === TOKEN_PROGRAM && account.data.length !== layout.size) {
    throw malformed('Mint', account, `it has ${account.data.length} bytes, not ${layout.size}`);
  }
  if (raw.isInitialized !== 1) throw malformed('Mint', account, 'it is not initialised');
  if (raw.mintAuthorityTag > 1 || raw.freezeAuthorityTag > 1) {
    throw malformed('Mint', account, 'an optional field is neither present nor absent');
  }
  return {
    tokenProgram: account.owner,
    // Lazy: most mints are of shares and collateral, whose authorities are rarely read.
    get mintAuthority() {
      return raw.mintAuthorityTag === 1 ? raw.mintAuthority : null;
    },
    supply: raw.supply,
    decimals: raw.decimals,
    get freezeAuthority() {
      return raw.freezeAuthorityTag === 1 ? raw.freezeAuthority : null;
    },
    extensions: readExtensions('Mint', account, layout.size, MINT_ACCOUNT_TYPE),
    size: account.data.length,
  };
}

export function encodeMint(
  mint: Omit<Mint, 'tokenProgram' | 'size'> & { readonly size?: number },
): Uint8Array {
  const base = new Uint8Array(layout.size);
  layout.write(viewOf(base), 0, {
    mintAuthorityTag: mint.mintAuthority === null ? 0 : 1,
    mintAuthority: mint.mintAuthority ?? undefined,
    supply: mint.supply,
    decimals: mint.decimals,
    isInitialized: 1,
    freezeAuthorityTag: mint.freezeAuthority === null ? 0 : 1,
    freezeAuthority: mint.freezeAuthority ?? undefined,
  });
  return encodeExtended(base, MINT_ACCOUNT_TYPE, mint.extensions, mint.size);
}
