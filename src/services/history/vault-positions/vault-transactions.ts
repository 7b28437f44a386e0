import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { VaultEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { toTokens } from '../../../domain/arithmetic.ts';
import { valueAt } from '../../../domain/pnl/denominated.ts';
import type { StoredVaultEvent } from '../../../store/transactions/read-vault-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { loadRecords, type VaultRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import { type MarketQuery, type PastMarket, pastMarkets, pricesOf } from './vault-markets.ts';

export type VaultTransactionKind = 'DEPOSIT' | 'WITHDRAW' | 'TRANSFER_IN' | 'TRANSFER_OUT' | 'INVEST';

const EVENT_KINDS: Readonly<Record<VaultTransactionKind, VaultEventKind>> = {
  DEPOSIT: 'deposit',
  WITHDRAW: 'withdraw',
  TRANSFER_IN: 'transferIn',
  TRANSFER_OUT: 'transferOut',
  INVEST: 'invest',
};
export const VAULT_TRANSACTION_KINDS = Object.keys(EVENT_KINDS) as readonly VaultTransactionKind[];

/** A vault transaction with its value at the time. Prices are null when none was recorded. */
export interface VaultTransaction {
  readonly event: StoredVaultEvent;
  readonly kind: VaultTransactionKind;
  readonly vault: VaultRecord;
  /** The tokens moved, or the value of the shares moved, at the prices of the time. */
  readonly tokens: TokenAmount;
  /** Whole shares; 0 for an investment. */
  readonly shares: Rational;
  /** USD per share; also null for an investment. */
  readonly sharePrice: Rational | null;
  /** USD per token. */
  readonly tokenPrice: Rational | null;
  readonly solPrice: Rational | null;
}

export const eventKinds = (kinds: readonly VaultTransactionKind[]): VaultEventKind[] =>
  kinds.map((kind) => EVENT_KINDS[kind]);

/** Batch size of price lookups, which read every token at every time. */
const PRICE_BATCH_SIZE = 200;

/**
 * Converts events to transactions, in order; an error for an event whose vault could not be read. Up to 200 events take
 * two statements, and two more when shares moved without tokens.
 */
export async function transactionsOf(
  platform: Platform,
  session: Session,
  events: readonly StoredVaultEvent[],
): Promise<(VaultTransaction | Error)[]> {
  const addresses = [...new Set(events.map(({ vault }) => vault))];
  const loaded = await loadRecords(session, 'vault', addresses);
  const vaults = new Map(addresses.map((address, i) => [address, loaded[i]] as const));
  const transactions: (VaultTransaction | Error)[] = [];
  for (let from = 0; from < events.length; from += PRICE_BATCH_SIZE) {
    const batch = events.slice(from, from + PRICE_BATCH_SIZE);
    transactions.push(...(await priced(platform, session, batch, vaults)));
  }
  return transactions;
}

async function priced(
  platform: Platform,
  session: Session,
  events: readonly StoredVaultEvent[],
  vaults: ReadonlyMap<Address, VaultRecord | Error | undefined>,
): Promise<(VaultTransaction | Error)[]> {
  const db = platform.historyFor(session, 'Vault transactions');
  const asks = [...vaults.values()].flatMap((vault) => asksOf(vault, events));
  const unpaid = asks.filter(({ vault }) =>
    events.some((event) => event.vault === vault.address && event.tokens === null),
  );
  const [prices, markets] = await Promise.all([
    pricesOf(db, session, asks),
    pastMarkets(db, session, unpaid),
  ]);
  const marketOf = new Map<Address, PastMarket | undefined>(
    unpaid.map(({ vault }, i) => [vault.address, markets[i]]),
  );
  return events.map((event) => {
    const vault = vaults.get(event.vault);
    if (vault === undefined || vault instanceof Error)
      return vault ?? new RangeError(`no vault ${event.vault}`);
    const { tokenMint } = vault.value;
    const perShare =
      event.tokens === null ? (marketOf.get(event.vault)?.market?.tokensPerShare(event.time) ?? null) : null;
    return transactionOf(event, vault, perShare, {
      tokenIsSol: tokenMint === WRAPPED_SOL_MINT,
      tokenUsd: (time) => prices.usd(tokenMint, time),
      solUsd: (time) => prices.solUsd(time),
    });
  });
}

function asksOf(vault: VaultRecord | Error | undefined, events: readonly StoredVaultEvent[]): MarketQuery[] {
  if (vault === undefined || vault instanceof Error) return [];
  const times = events.filter((event) => event.vault === vault.address).map(({ time }) => time);
  if (times.length === 0) return [];
  return [{ vault, from: Math.min(...times), until: Math.max(...times), times }];
}

function transactionOf(
  event: StoredVaultEvent,
  vault: VaultRecord,
  perShare: Rational | null,
  prices: Parameters<typeof valueAt>[1],
): VaultTransaction {
  const { tokenMint, tokenMintDecimals, sharesMintDecimals } = vault.value;
  const { tokens, shares, time } = event;
  const paid = tokens !== null && shares > 0n ? Rational.of(tokens, shares) : null;
  const tokensPerShare = paid ?? perShare;
  // Without a share price the tokens are zero and the value is null.
  const moved = tokens === null ? (perShare?.mul(integer(shares)) ?? null) : integer(tokens);
  const value =
    moved === null ? { usd: null, sol: null } : valueAt(toTokens(moved, tokenMintDecimals), prices, time);
  const tokenPrice = prices.tokenUsd(time);
  return {
    event,
    kind: kindOf(event.kind),
    vault,
    tokens: valuedAmount({ mint: tokenMint, decimals: tokenMintDecimals }, moved ?? integer(0n), value),
    shares: toTokens(integer(shares), sharesMintDecimals),
    sharePrice: tokensPerShare === null || tokenPrice === null ? null : tokensPerShare.mul(tokenPrice),
    tokenPrice,
    solPrice: prices.solUsd(time),
  };
}

function kindOf(kind: VaultEventKind): VaultTransactionKind {
  return VAULT_TRANSACTION_KINDS.find((each) => EVENT_KINDS[each] === kind) ?? 'INVEST';
}
