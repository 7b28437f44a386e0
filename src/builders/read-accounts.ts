import type { Address } from '@solana/kit';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import type { AccountLayout, RawAccount } from '../programs/layout/account.ts';
import type { Fields, StructOf } from '../programs/layout/struct.ts';
import { SYSTEM_PROGRAM } from '../programs/program-ids.ts';
import { decodeTokenAccount, type TokenAccount } from '../programs/token/token-account.ts';

/** An account read from the chain. */
export interface ReadAccount extends RawAccount {
  readonly lamports: bigint;
}

/** Returns an account of the read rounds; null when it does not exist. */
export type ReadAccounts = (address: Address) => ReadAccount | null;

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

/** Decodes an account that the caller named. An absent account and one of another kind throw the same error. */
export function namedAccount<F extends Fields>(
  read: ReadAccounts,
  address: Address,
  layout: AccountLayout<F>,
  program: Address,
  notFound: (cause?: unknown) => SluiceError,
): StructOf<F> {
  const account = programAccount(read, address);
  if (account === null) throw notFound();
  try {
    return decodedBy(layout, account, program);
  } catch (cause) {
    throw isSluiceError(cause) ? notFound(cause) : cause;
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
    if (isSluiceError(error)) return null;
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
  try {
    const { owner, mint } = decodeTokenAccount(account);
    return owner === wallet ? mint : null;
  } catch (error) {
    if (isSluiceError(error)) return null;
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
