import type { AccountLayout, RawAccount } from '@sluice/protocol/layout/account';
import type { Fields, StructOf } from '@sluice/protocol/layout/struct';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeTokenAccount, type TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { ErrorCode } from '../errors/codes.ts';
import { type CodedError, isCodedError, SluiceError } from '../errors/sluice-error.ts';

/** An account read from the chain. */
export interface ReadAccount extends RawAccount {
  readonly lamports: bigint;
}

/** Returns an account of the read rounds; null when it does not exist. */
export interface ReadAccounts {
  (address: Address): ReadAccount | null;
  /** Ticker of a mint, for texts, as reads name it. Without it tokens are named by the label of a reserve. */
  readonly symbolOf?: (mint: Address) => string;
}

/**
 * The account, or null when it was never created or is closed. A closed account that received lamports belongs to the
 * system program and counts as absent.
 */
export function programAccount(read: ReadAccounts, address: Address): ReadAccount | null {
  const account = read(address);
  return account === null || account.owner === SYSTEM_PROGRAM ? null : account;
}

/** Decoded accounts. A build decodes some accounts in both read rounds, and concurrent builds share their reads. */
const decoded = new WeakMap<ReadAccount, { readonly by: object; readonly value: unknown }>();

/** Decodes an account once in its lifetime. `by` identifies the decoder. */
export function decodedOnce<T>(account: ReadAccount, by: object, decode: () => T): T {
  const cached = decoded.get(account);
  if (cached?.by === by) return cached.value as T;
  const value = decode();
  decoded.set(account, { by, value });
  return value;
}

/** Codes of a decoder for an account that is not of its kind. */
const OF_ANOTHER_KIND: readonly ErrorCode[] = [
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_DISCRIMINATOR',
  'ACCOUNT_TOO_SHORT',
];

/**
 * Decodes an account that the caller named. An absent account and one of another kind throw the same error. One that is of
 * the kind and cannot be interpreted throws ACCOUNT_MALFORMED: its address is right.
 */
export function namedAccount<F extends Fields>(
  read: ReadAccounts,
  address: Address,
  layout: AccountLayout<F>,
  program: Address,
  notFound: (cause?: unknown) => CodedError,
): StructOf<F> {
  const account = programAccount(read, address);
  if (account === null) throw notFound();
  try {
    return decodedBy(layout, account, program);
  } catch (cause) {
    throw isCodedError(cause) && OF_ANOTHER_KIND.includes(cause.code) ? notFound(cause) : cause;
  }
}

/** Decodes an account that may be absent. */
export function optionalAccount<F extends Fields>(
  read: ReadAccounts,
  address: Address,
  layout: AccountLayout<F>,
  program: Address,
): StructOf<F> | null {
  const account = programAccount(read, address);
  return account === null ? null : decodedBy(layout, account, program);
}

/** Decodes an account that an action does not depend on: null when it is absent or of another kind. */
export function readableAccount<F extends Fields>(
  read: ReadAccounts,
  address: Address,
  layout: AccountLayout<F>,
  program: Address,
): StructOf<F> | null {
  try {
    return optionalAccount(read, address, layout, program);
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}

/** Checks the owner each time, because a layout is not bound to one program. */
function decodedBy<F extends Fields>(
  layout: AccountLayout<F>,
  account: ReadAccount,
  program: Address,
): StructOf<F> {
  if (account.owner !== program) return layout.decode(account, program);
  return decodedOnce(account, layout, () => layout.decode(account, program));
}

/** A wallet's account for a mint; null while it does not exist. */
export interface WalletToken {
  readonly address: Address;
  readonly account: TokenAccount | null;
}

export function walletToken(read: ReadAccounts, address: Address): WalletToken {
  const account = programAccount(read, address);
  return { address, account: account === null ? null : decodeTokenAccount(account) };
}

/** The mint of a token account that belongs to the wallet; null for any other account. */
export function walletTokenMint(account: ReadAccount, wallet: Address): Address | null {
  const token = readTokenAccount(account);
  return token?.owner === wallet ? token.mint : null;
}

/** Null for an account that is no token account. */
export function readTokenAccount(account: ReadAccount): TokenAccount | null {
  try {
    return decodeTokenAccount(account);
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}

/** The addresses in order, without nulls and duplicates. */
export function distinct(addresses: Iterable<Address | null>): Address[] {
  const seen = new Set<Address>();
  for (const address of addresses) if (address !== null) seen.add(address);
  return [...seen];
}

/** A mint stores its decimals in one byte; an account that states more is corrupt. */
const MAX_DECIMALS = 255n;

export function checkDecimals(account: string, address: Address, ...decimals: readonly bigint[]): void {
  for (const each of decimals) {
    if (each > MAX_DECIMALS) {
      const reason = `its mint cannot have ${each} decimals`;
      throw new SluiceError('ACCOUNT_MALFORMED', { account, address, reason });
    }
  }
}
