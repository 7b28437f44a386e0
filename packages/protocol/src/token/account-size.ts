import type { Address } from '@solana/kit';
import { TOKEN_2022_PROGRAM } from '../program-ids.ts';
import { EXTENSION_TYPE } from './extension-types.ts';
import type { Mint } from './mint.ts';
import { MULTISIG_BYTES } from './multisig.ts';
import { TOKEN_ACCOUNT_BYTES } from './token-account.ts';

/** Bytes of the extensions that token accounts can have. */
const ACCOUNT_EXTENSION_BYTES = {
  transferFeeAmount: 8,
  immutableOwner: 0,
  memoTransfer: 1,
  cpiGuard: 1,
  nonTransferableAccount: 0,
  transferHookAccount: 1,
  pausableAccount: 0,
} as const satisfies Partial<Record<keyof typeof EXTENSION_TYPE, number>>;

export type AccountExtensionName = keyof typeof ACCOUNT_EXTENSION_BYTES;

const REQUIRED: Readonly<Record<number, readonly AccountExtensionName[]>> = {
  [EXTENSION_TYPE.transferFeeConfig]: ['transferFeeAmount'],
  [EXTENSION_TYPE.nonTransferable]: ['nonTransferableAccount', 'immutableOwner'],
  [EXTENSION_TYPE.transferHook]: ['transferHookAccount'],
  [EXTENSION_TYPE.pausable]: ['pausableAccount'],
};

/** The extensions that every account of the mint must have, in the order in which they are written. */
export function requiredExtensions({ extensions }: Mint): AccountExtensionName[] {
  return extensions.flatMap(({ type }) => REQUIRED[type] ?? []);
}

export const extensionBytes = (name: AccountExtensionName) => ACCOUNT_EXTENSION_BYTES[name];

/** Null when token accounts cannot have the extension. */
export function accountExtensionOf(type: number): AccountExtensionName | null {
  for (const name of Object.keys(ACCOUNT_EXTENSION_BYTES) as AccountExtensionName[]) {
    if (EXTENSION_TYPE[name] === type) return name;
  }
  return null;
}

/** Bytes of a token account of the mint, with further extensions. */
export function accountSize(
  mint: Mint,
  further: readonly AccountExtensionName[],
  tokenProgram: Address,
): number {
  const names = new Set([...requiredExtensions(mint), ...further]);
  if (tokenProgram !== TOKEN_2022_PROGRAM || names.size === 0) return TOKEN_ACCOUNT_BYTES;
  let size = TOKEN_ACCOUNT_BYTES + 1;
  for (const name of names) size += 4 + extensionBytes(name);
  // An account must not be mistaken for a multisig.
  return size === MULTISIG_BYTES ? size + 2 : size;
}
