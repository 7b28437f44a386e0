import { TOKEN_2022_PROGRAM } from '../program-ids.ts';
import { readTransferFeeConfig } from '../token/extensions.ts';
import type { Mint } from '../token/mint.ts';
import type { TokenAccount } from '../token/token-account.ts';

/** Token-2022 extensions, by type number. */
const EXTENSION = {
  transferFeeConfig: 1,
  transferFeeAmount: 2,
  mintCloseAuthority: 3,
  confidentialTransferMint: 4,
  confidentialTransferAccount: 5,
  defaultAccountState: 6,
  immutableOwner: 7,
  permanentDelegate: 12,
  transferHook: 14,
  transferHookAccount: 15,
  confidentialTransferFeeConfig: 16,
  confidentialTransferFeeAmount: 17,
  metadataPointer: 18,
  tokenMetadata: 19,
  scaledUiAmount: 25,
  pausable: 26,
  pausableAccount: 27,
} as const;

const ON_MINT: ReadonlySet<number> = new Set([
  EXTENSION.confidentialTransferFeeConfig,
  EXTENSION.confidentialTransferMint,
  EXTENSION.mintCloseAuthority,
  EXTENSION.metadataPointer,
  EXTENSION.permanentDelegate,
  EXTENSION.transferFeeConfig,
  EXTENSION.tokenMetadata,
  EXTENSION.transferHook,
  EXTENSION.defaultAccountState,
  EXTENSION.scaledUiAmount,
  EXTENSION.pausable,
]);

const ON_ACCOUNT: ReadonlySet<number> = new Set([
  EXTENSION.confidentialTransferFeeAmount,
  EXTENSION.confidentialTransferAccount,
  EXTENSION.transferFeeAmount,
  EXTENSION.transferHookAccount,
  EXTENSION.pausableAccount,
  EXTENSION.immutableOwner,
]);

/** Both keys of a hook: its authority, then its program. */
const HOOK_PROGRAM = { start: 32, end: 64 };
/** Offset of a flag in an extension's bytes. */
const AUTO_APPROVE_NEW_ACCOUNTS = 32;
const PAUSED = 32;
const INITIALIZED_OR_FROZEN: readonly (number | undefined)[] = [1, 2];

/** Whether the lending program accepts a token account: no extension could make a transfer move another amount, or none. */
export function supportsTokenAccount({ tokenProgram, extensions }: TokenAccount): boolean {
  return tokenProgram !== TOKEN_2022_PROGRAM || extensions.every(({ type }) => ON_ACCOUNT.has(type));
}

/** Whether the lending program accepts a mint as liquidity. Some extensions may be there only while they are switched off. */
export function supportsMint({ tokenProgram, extensions }: Mint): boolean {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return true;
  if (!extensions.every(({ type, data }) => ON_MINT.has(type) && isHarmless(type, data))) return false;
  const fee = readTransferFeeConfig(extensions);
  return fee === null || (fee.older.basisPoints === 0 && fee.newer.basisPoints === 0);
}

function isHarmless(type: number, data: Uint8Array): boolean {
  switch (type) {
    case EXTENSION.transferHook:
      return data.subarray(HOOK_PROGRAM.start, HOOK_PROGRAM.end).every((byte) => byte === 0);
    case EXTENSION.confidentialTransferMint:
      return data[AUTO_APPROVE_NEW_ACCOUNTS] !== 1;
    case EXTENSION.defaultAccountState:
      return INITIALIZED_OR_FROZEN.includes(data[0]);
    case EXTENSION.pausable:
      return data[PAUSED] !== 1;
    default:
      return true;
  }
}
