import type { Address } from '@solana/kit';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import type { AccountLayout, RawAccount } from '../programs/layout/account.ts';
import type { Fields, StructOf } from '../programs/layout/struct.ts';
import { SYSTEM_PROGRAM } from '../programs/program-ids.ts';
import { decodeTokenAccount, type TokenAccount } from '../programs/token/token-account.ts';

/** An account that has been read. */
export interface ReadAccount extends RawAccount {
  readonly lamports: bigint;
}

/** Gives an account that the reading rounds asked for; null when there is none on chain. */
export type ReadAccounts = (address: Address) => ReadAccount | null;

/**
 * The account, or null when no program has it: never created, closed, or only given lamports. A closed account that
 * somebody sends lamports to belongs to the system program and is empty.
 */
export function programAccount(read: ReadAccounts, address: Address): ReadAccount | null {
  const account = read(address);
  return account === null || account.owner === SYSTEM_PROGRAM ? null : account;
}

/**
 * What was decoded of an account that was read. A build looks at some accounts before and after it knows what else to read,
 * and builds that run at the same time share what they read.
 */
const decoded = new WeakMap<ReadAccount, { readonly by: object; readonly value: unknown }>();

/** What `decode` makes of an account, worked out once for as long as the account is held. `by` says who decodes. */
export function decodedOnce<T>(account: ReadAccount, by: object, decode: () => T): T {
  const known = decoded.get(account);
  if (known?.by === by) return known.value as T;
  const value = decode();
  decoded.set(account, { by, value });
  return value;
}

/** Decodes what the caller named; an absent account and one of another kind are the same refusal. */
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

/** The owner is checked each time: a layout belongs to no one program. */
function decodedBy<F extends Fields>(
  layout: AccountLayout<F>,
  account: ReadAccount,
  program: Address,
): StructOf<F> {
  if (account.owner !== program) return layout.decode(account, program);
  return decodedOnce(account, layout, () => layout.decode(account, program));
}

/** A wallet's account for a mint, with its address; the account is null while it does not exist. */
export interface WalletToken {
  readonly address: Address;
  readonly account: TokenAccount | null;
}

export function walletToken(read: ReadAccounts, address: Address): WalletToken {
  const account = programAccount(read, address);
  return { address, account: account === null ? null : decodeTokenAccount(account) };
}

/** The addresses in order, each once. */
export function distinct(addresses: Iterable<Address | null>): Address[] {
  const seen = new Set<Address>();
  for (const address of addresses) if (address !== null) seen.add(address);
  return [...seen];
}

/** A mint keeps its decimals in one byte; an account that claims more is damaged, and its amounts mean nothing. */
const MAX_DECIMALS = 255n;

export function checkDecimals(account: string, address: Address, ...decimals: readonly bigint[]): void {
  for (const each of decimals) {
    if (each > MAX_DECIMALS) {
      const reason = `its mint cannot have ${each} decimals`;
      throw new SluiceError('ACCOUNT_MALFORMED', { account, address, reason });
    }
  }
}
