import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { LOOKUP_TABLE_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { isProtocolError } from '@sluice/protocol/protocol-error';
import type { Extension } from '@sluice/protocol/token/extensions';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { LocalChain, StoredAccount } from '../chain.ts';
import type { Json } from './json.ts';
import { uiTokenAmount } from './token-amount.ts';
import { isTokenAccount } from './token-index.ts';

/** Deactivation slot of an active lookup table. */
const NEVER = (1n << 64n) - 1n;

/**
 * The `jsonParsed` form of common account types. Null for all others, for which nodes fall back to base64.
 */
export function parseAccountData(chain: LocalChain, account: StoredAccount): Json | null {
  try {
    switch (account.owner) {
      case TOKEN_PROGRAM:
        return parsed(account, 'spl-token', parseToken(chain, account));
      case TOKEN_2022_PROGRAM:
        return parsed(account, 'spl-token-2022', parseToken(chain, account));
      case LOOKUP_TABLE_PROGRAM:
        return parsed(account, 'address-lookup-table', parseLookupTable(account));
      default:
        return null;
    }
  } catch (error) {
    if (isProtocolError(error)) return null;
    throw error;
  }
}

function parsed(account: StoredAccount, program: string, content: Json | null): Json | null {
  return content === null ? null : { parsed: content, program, space: account.data.length };
}

function parseToken(chain: LocalChain, account: StoredAccount): Json | null {
  return isTokenAccount(account) ? parseBalance(chain, account) : parseMint(account);
}

function parseMint(account: StoredAccount): Json {
  const mint = decodeMint(account);
  return {
    info: {
      decimals: mint.decimals,
      extensions: unread(mint.extensions),
      freezeAuthority: mint.freezeAuthority,
      isInitialized: true,
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
    },
    type: 'mint',
  };
}

/** Null when the mint, which has the decimals, does not exist. */
function parseBalance(chain: LocalChain, account: StoredAccount): Json | null {
  const token = decodeTokenAccount(account);
  const mintAccount = chain.account(token.mint);
  if (mintAccount === undefined) return null;
  const { decimals } = decodeMint(mintAccount);
  const delegated = token.delegate !== null;
  const native = token.nativeRentLamports;
  return {
    info: {
      closeAuthority: token.closeAuthority ?? undefined,
      delegate: token.delegate ?? undefined,
      delegatedAmount: delegated ? uiTokenAmount(token.delegatedAmount, decimals) : undefined,
      extensions: unread(token.extensions),
      isNative: native !== null,
      mint: token.mint,
      owner: token.owner,
      rentExemptReserve: native === null ? undefined : uiTokenAmount(native, decimals),
      state: token.frozen ? 'frozen' : 'initialized',
      tokenAmount: uiTokenAmount(token.amount, decimals),
    },
    type: 'account',
  };
}

/** Lists extensions the way a node lists those it cannot parse. */
function unread(extensions: readonly Extension[]): Json | undefined {
  return extensions.length === 0 ? undefined : extensions.map(() => ({ extension: 'unparseableExtension' }));
}

function parseLookupTable(account: StoredAccount): Json {
  const table = decodeLookupTable(account);
  return {
    info: {
      addresses: table.addresses,
      authority: table.authority ?? undefined,
      deactivationSlot: (table.deactivationSlot ?? NEVER).toString(),
      lastExtendedSlot: table.lastExtendedSlot.toString(),
      lastExtendedSlotStartIndex: table.lastExtendedStartIndex,
    },
    type: 'lookupTable',
  };
}
