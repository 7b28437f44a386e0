import { readText } from '@sluice/protocol/layout/codec';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { readTokenMetadata } from '@sluice/protocol/token/extensions';
import type { Address } from '@solana/kit';
import { shortened } from '../../builders/shortened.ts';
import type { View } from '../../chain/view/view.ts';
import type { ProofOfReserves } from '../../config/catalogue/format.ts';
import type { PriceUsd } from '../../domain/price.ts';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { type SortDirection, type SortKey, sortedBy, stablySortedBy } from '../paging/sorting.ts';
import { perView, viewCache } from '../request/per-view.ts';
import type { MintRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { Valuation } from './valuation.ts';

export type { ProofOfReserves } from '../../config/catalogue/format.ts';

/** Priority of an unranked token: after all ranked ones. */
const UNRANKED = 1_000_000;

/** A mint with its catalogue facts. */
export interface Token {
  readonly mint: Address;
  /** Same as `mint`; every record of the View has an address. */
  readonly address: Address;
  readonly decimals: number;
  /** Null when the mint account cannot be read. */
  readonly tokenProgram: Address | null;
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly verified: boolean;
  /** Lower comes first. */
  readonly priority: number;
  readonly tradingVolume24H: number | null;
  readonly marketCapUsd: number | null;
  /** Null when the catalogue has none. */
  readonly proofOfReserves: ProofOfReserves | null;
}

/** A token with the names of its mint, and what is not on chain from the catalogue. */
export const tokenOf = perView((view: View, record: MintRecord): Token => {
  const { decimals, tokenProgram } = record.value;
  return { ...describedToken(view, record.address, record), decimals, tokenProgram };
});

/**
 * The token of an account that states the token's decimals. Without a readable mint account the token has these decimals,
 * no token program, and names from the catalogue, a vault or a reserve, or else from its address.
 */
export function tokenNamed(session: Session, mint: Address, decimals: number): Token | Promise<Token> {
  const { view } = session;
  const known = view.find('mint', mint);
  if (isCodedError(known)) return tokenWithoutMint(view, mint, decimals);
  if (known !== undefined) return tokenOf(view, known);
  return session.load('mint', mint).then(
    (record) => tokenOf(view, record),
    (error: unknown) => {
      if (isCodedError(error)) return tokenWithoutMint(view, mint, decimals);
      throw error;
    },
  );
}

const withoutMint = viewCache<Map<string, Token>>();

/** The same object for the same View, so that its JSON is written once. */
function tokenWithoutMint(view: View, mint: Address, decimals: number): Token {
  const tokens = withoutMint.get(view) ?? new Map<string, Token>();
  withoutMint.set(view, tokens);
  const key = `${mint} ${decimals}`;
  const token = tokens.get(key) ?? { ...describedToken(view, mint, undefined), decimals, tokenProgram: null };
  tokens.set(key, token);
  return token;
}

function describedToken(
  view: View,
  mint: Address,
  record: MintRecord | undefined,
): Omit<Token, 'decimals' | 'tokenProgram'> {
  const known = Valuation.of(view).catalogue.tokens.get(mint) ?? NOT_IN_CATALOGUE;
  return { ...known, mint, address: mint, ...namesOf(view, mint, record) };
}

const NOT_IN_CATALOGUE = {
  logoUrl: null,
  verified: false,
  priority: UNRANKED,
  tradingVolume24H: null,
  marketCapUsd: null,
  proofOfReserves: null,
} as const;

/** The ticker of a mint, even if the mint could not be read. */
export function tokenSymbol(view: View, mint: Address): string {
  return tokenNames(view, mint).symbol;
}

/** Proof of the reserves behind a token, from the catalogue; null when it has none. */
export function proofOfReserves(view: View, mint: Address): ProofOfReserves | null {
  return Valuation.of(view).catalogue.tokens.get(mint)?.proofOfReserves ?? null;
}

export function stakeRateSol(view: View, mint: Address): Rational | null {
  return Valuation.of(view).stakeRateSol(mint);
}

export interface TokenFilter {
  /** True: verified tokens only. False: no filter. */
  readonly verified?: boolean | null | undefined;
  readonly mints?: readonly Address[] | null | undefined;
  /** Case-insensitive; so is `search`. */
  readonly symbol?: string | null | undefined;
  /** Part of the ticker or name. */
  readonly search?: string | null | undefined;
}

export const MAX_SEARCH_LENGTH = 64;

export type TokenOrderField = 'TRADING_VOLUME' | 'PRIORITY' | 'SYMBOL';

export interface TokenOrder {
  readonly field: TokenOrderField;
  readonly direction: SortDirection;
}

export const DEFAULT_TOKEN_ORDER: TokenOrder = { field: 'TRADING_VOLUME', direction: 'DESC' };

/**
 * Tokens that the platform uses or the catalogue lists; tokens without a sort key come last, by priority.
 *
 * @throws BAD_REQUEST
 */
export function listTokens(view: View, filter: TokenFilter = {}, order = DEFAULT_TOKEN_ORDER): Token[] {
  const symbol = filter.symbol?.toLowerCase();
  const search = searchText(filter.search);
  const mints = filter.mints ? new Set(filter.mints) : undefined;
  const tokens = [...view.all('mint').values()]
    .filter(({ address }) => mints === undefined || mints.has(address))
    .map((record) => tokenOf(view, record))
    .filter((token) => filter.verified !== true || token.verified)
    .filter((token) => symbol === undefined || token.symbol.toLowerCase() === symbol)
    .filter((token) => search === null || contains(token, search));
  const byPriority = sortedBy(tokens, ({ priority }) => priority, 'ASC');
  return stablySortedBy(byPriority, (token) => sortKey(token, order.field), order.direction);
}

/** @throws BAD_REQUEST */
function searchText(search: string | null | undefined): string | null {
  const text = search?.trim().toLowerCase() ?? null;
  if (text === null || (text.length > 0 && text.length <= MAX_SEARCH_LENGTH)) return text;
  const reason = `filter.search: Pass 1 to ${MAX_SEARCH_LENGTH} characters, or omit it to list all tokens.`;
  throw new SluiceError('BAD_REQUEST', { reason });
}

const contains = ({ symbol, name }: Token, text: string): boolean =>
  symbol.toLowerCase().includes(text) || name.toLowerCase().includes(text);

function sortKey({ tradingVolume24H, priority, symbol }: Token, field: TokenOrderField): SortKey {
  return field === 'TRADING_VOLUME'
    ? tradingVolume24H
    : field === 'PRIORITY'
      ? priority
      : symbol.toLowerCase();
}

export function tokenPrice(view: View, mint: Address): PriceUsd | null {
  return Valuation.of(view).tokenPrice(mint);
}

/** USD per SOL; null when no reserve has a price for it. */
export function solPriceUsd(view: View): Rational | null {
  return Valuation.of(view).solPriceUsd;
}

export type TokenNames = Pick<Token, 'symbol' | 'name'>;

/** The names of a token that may not be in the View. */
export function tokenNames(view: View, mint: Address): TokenNames {
  const record = view.get('mint', mint);
  return record === undefined ? namesOf(view, mint, record) : tokenOf(view, record);
}

/**
 * Names from the mint's metadata, from the catalogue, from the vault of a share mint, or from a reserve; else a shortened
 * address.
 */
function namesOf(view: View, address: Address, record: MintRecord | undefined): TokenNames {
  const metadata = record === undefined ? null : readTokenMetadata(record.value.extensions);
  if (metadata !== null && metadata.symbol.trim() !== '') {
    return { symbol: metadata.symbol.trim(), name: metadata.name.trim() || metadata.symbol.trim() };
  }
  const known = Valuation.of(view).catalogue.tokens.get(address);
  if (known !== undefined) return { symbol: known.symbol, name: known.name };
  const vault = view.vaultOfShares(address);
  if (vault !== undefined) {
    const symbol = `kv${reserveSymbol(view, vault.value.tokenMint) ?? shortened(vault.value.tokenMint)}`;
    return { symbol, name: readText(vault.value.name) || symbol };
  }
  const symbol = reserveSymbol(view, address) ?? shortened(address);
  return { symbol, name: symbol };
}

/** The most common name among the mint's reserves: a reserve may be named after its terms instead of its token. */
function reserveSymbol(view: View, mint: Address): string | undefined {
  const counts = new Map<string, number>();
  for (const { value } of view.reservesOfMint(mint)) {
    const name = readText(value.config.tokenInfo.name);
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  let symbol: string | undefined;
  for (const [name, count] of counts) {
    const best = symbol === undefined ? 0 : (counts.get(symbol) ?? 0);
    if (symbol === undefined || count > best || (count === best && isPlainer(name, symbol))) symbol = name;
  }
  return symbol;
}

const isPlainer = (a: string, b: string) => a.length < b.length || (a.length === b.length && a < b);
