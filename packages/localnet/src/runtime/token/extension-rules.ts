import { viewOf } from '@sluice/protocol/layout/account';
import { publicKey, u64 } from '@sluice/protocol/layout/codec';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { EXTENSION_TYPE } from '@sluice/protocol/token/extension-types';
import type { Extension } from '@sluice/protocol/token/extensions';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';

/** A mint or token account. Those of SPL Token have no extensions, so no rule of Token-2022 applies to them. */
interface Extended {
  readonly extensions: readonly Extension[];
}

export type ExtensionName = keyof typeof EXTENSION_TYPE;

export function hasExtension({ extensions }: Extended, name: ExtensionName): boolean {
  return extensions.some(({ type }) => type === EXTENSION_TYPE[name]);
}

/** Whether the owner may act through other programs no longer. */
export const hasCpiGuard = (account: Extended) => flagOf(account, 'cpiGuard', 0);

/** Whether a memo must come before each transfer to the account. */
export const requiresMemo = (account: Extended) => flagOf(account, 'memoTransfer', 0);

export const isPaused = (mint: Extended) => flagOf(mint, 'pausable', 32);

/** The authority that may move and burn all tokens of the mint; null without one. */
export const permanentDelegateOf = (mint: Extended) => addressOf(mint, 'permanentDelegate', 0);

/** The program that must approve each transfer; null without one. */
export const transferHookOf = (mint: Extended) => addressOf(mint, 'transferHook', 32);

/** The authority that may close the mint; null without one. */
export const mintCloseAuthorityOf = (mint: Extended) => addressOf(mint, 'mintCloseAuthority', 0);

/** Base units; null when the account cannot withhold fees. */
export function withheldOf(account: Extended): bigint | null {
  const data = bytesOf(account, 'transferFeeAmount');
  return data?.length === u64.size ? u64.read(viewOf(data), 0) : null;
}

export function withWithheld(account: TokenAccount, amount: bigint): TokenAccount {
  const data = new Uint8Array(u64.size);
  u64.write(viewOf(data), 0, amount);
  return { ...account, extensions: withExtension(account, 'transferFeeAmount', data) };
}

/** Replaces the extension, or appends it. */
export function withExtension({ extensions }: Extended, name: ExtensionName, data: Uint8Array): Extension[] {
  const type = EXTENSION_TYPE[name];
  const found = extensions.some((extension) => extension.type === type);
  if (!found) return [...extensions, { type, data }];
  return extensions.map((extension) => (extension.type === type ? { type, data } : extension));
}

function bytesOf({ extensions }: Extended, name: ExtensionName): Uint8Array | undefined {
  return extensions.find(({ type }) => type === EXTENSION_TYPE[name])?.data;
}

function flagOf(state: Extended, name: ExtensionName, offset: number): boolean {
  return bytesOf(state, name)?.[offset] === 1;
}

function addressOf(state: Extended, name: ExtensionName, offset: number): Address | null {
  const data = bytesOf(state, name);
  if (data === undefined || data.length < offset + publicKey.size) return null;
  const address = publicKey.read(viewOf(data), offset);
  return address === NO_ADDRESS ? null : address;
}
