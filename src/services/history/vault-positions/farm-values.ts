import { integer } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { toTokens } from '../../../domain/arithmetic.ts';
import { inSol } from '../../../domain/price.ts';
import type { AnyFarmEvent, StoredFarmEvent } from '../../../store/transactions/read-farm-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FarmRecord, loadRecords } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import { type PriceLookup, priceLookup } from '../price-lookup.ts';
import { transactionsOf } from './vault-transactions.ts';

/** A transaction of a farm with its value at the time. */
export interface FarmTransaction<E extends AnyFarmEvent = StoredFarmEvent> {
  readonly event: E;
  /** The token moved; null when the transaction does not name it and the farm cannot be read. */
  readonly mint: Address | null;
  /** Null when the amount or the token is unknown. Its values are null when no price was recorded. */
  readonly amount: TokenAmount | null;
}

/** Batch size of price lookups, which read every token at every time. */
const PRICE_BATCH_SIZE = 200;

/** The transactions of the events, in order. Vault shares are valued at the share price of the moment. */
export async function farmTransactionsOf<E extends AnyFarmEvent>(
  platform: Platform,
  session: Session,
  events: readonly E[],
): Promise<FarmTransaction<E>[]> {
  const mints = await mintsOf(session, events);
  const decimals = await decimalsOf(session, mints);
  const transactions: FarmTransaction<E>[] = [];
  for (let from = 0; from < events.length; from += PRICE_BATCH_SIZE) {
    const batch = events.slice(from, from + PRICE_BATCH_SIZE);
    const batchMints = mints.slice(from, from + PRICE_BATCH_SIZE);
    transactions.push(...(await valued(platform, session, batch, batchMints, decimals)));
  }
  return transactions;
}

/**
 * An unstake does not name the token: it is the one that the farm stakes. An instruction for a reward is about its token, and
 * farms never change the token of a reward.
 */
async function mintsOf(
  session: Session,
  events: readonly AnyFarmEvent[],
): Promise<readonly (Address | null)[]> {
  const farms = [...new Set(events.filter(({ mint }) => mint === null).map(({ farm }) => farm))];
  const records = await loadRecords(session, 'farm', farms);
  const known = new Map(
    farms.flatMap((farm, i) => {
      const record = records[i];
      return record === undefined || record instanceof Error ? [] : [[farm, record] as const];
    }),
  );
  return events.map((event) => event.mint ?? unnamedMint(event, known.get(event.farm)));
}

function unnamedMint({ management }: AnyFarmEvent, farm: FarmRecord | undefined): Address | null {
  if (farm === undefined) return null;
  if (management === undefined) return presentAddress(farm.value.token.mint);
  if (management.rewardIndex === null) return null;
  const reward = farm.value.rewardInfos[management.rewardIndex];
  return reward === undefined ? null : presentAddress(reward.token.mint);
}

async function decimalsOf(
  session: Session,
  mints: readonly (Address | null)[],
): Promise<ReadonlyMap<Address, number>> {
  const named = [...new Set(mints.filter((mint) => mint !== null))];
  const records = await loadRecords(session, 'mint', named);
  return new Map(
    named.flatMap((mint, i) => {
      const record = records[i];
      return record === undefined || record instanceof Error ? [] : [[mint, record.value.decimals] as const];
    }),
  );
}

async function valued<E extends AnyFarmEvent>(
  platform: Platform,
  session: Session,
  events: readonly E[],
  mints: readonly (Address | null)[],
  decimals: ReadonlyMap<Address, number>,
): Promise<FarmTransaction<E>[]> {
  const db = platform.historyFor(session, 'Farm transactions');
  const { view } = session;
  const now = Number(view.moment.timestamp);
  const times = events.map(({ time }) => Math.min(time, now));
  const moments = times.flatMap((time, i) => {
    const mint = mints[i] ?? null;
    return mint === null ? [] : [{ address: mint, time }];
  });
  const [prices, shares] = await Promise.all([
    priceLookup(db, session, moments, times),
    shareValues(platform, session, events, mints),
  ]);
  return events.map((event, i) => {
    const mint = mints[i] ?? null;
    const known = mint === null ? undefined : decimals.get(mint);
    if (mint === null || known === undefined || event.amount === null) return { event, mint, amount: null };
    const token = { mint, decimals: known };
    const value = shares.get(event) ?? tokenValue(prices, token, event.amount, Math.min(event.time, now));
    return { event, mint, amount: valuedAmount(token, integer(event.amount), value) };
  });
}

type Value = Pick<TokenAmount, 'usd' | 'sol'>;

function tokenValue(
  prices: PriceLookup,
  { mint, decimals }: { readonly mint: Address; readonly decimals: number },
  amount: bigint,
  time: number,
): Value {
  const price = prices.usd(mint, time);
  const usd = price === null ? null : toTokens(integer(amount), decimals).mul(price);
  const solUsd = prices.solUsd(time);
  return { usd, sol: usd && solUsd && inSol(usd, solUsd) };
}

/** The values of those events that moved vault shares, as if each were a transfer of shares. */
async function shareValues(
  platform: Platform,
  session: Session,
  events: readonly AnyFarmEvent[],
  mints: readonly (Address | null)[],
): Promise<ReadonlyMap<AnyFarmEvent, Value>> {
  const moved = events.flatMap((event, i) => {
    const mint = mints[i] ?? null;
    const vault = mint === null ? undefined : session.view.vaultOfShares(mint);
    if (vault === undefined || event.amount === null) return [];
    const { kind: _kind, farm: _farm, mint: _mint, management: _, amount: shares, ...position } = event;
    const change = { kind: 'stake', vault: vault.address, tokens: null, shares } as const;
    const nothing = { reserve: null, reserveTokens: 0n, counterparty: null, instruction: null };
    return [{ event, as: { ...position, ...change, ...nothing } }];
  });
  const transactions = await transactionsOf(
    platform,
    session,
    moved.map(({ as }) => as),
  );
  return new Map(
    moved.flatMap(({ event }, i) => {
      const found = transactions[i];
      return found === undefined || found instanceof Error
        ? []
        : [[event, { usd: found.tokens.usd, sol: found.tokens.sol }] as const];
    }),
  );
}
