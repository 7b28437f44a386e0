import { obligation as layout } from '@sluice/protocol/klend/obligation';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import type { Positions } from '../../chain/positions/positions.ts';
import type { View } from '../../chain/view/view.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import type { ObligationSnapshot } from './index-update.ts';
import { ObligationTable, ObligationTableBuilder } from './obligation-table.ts';
import { packObligation, ReserveNumbers } from './packed-obligation.ts';

/** The obligations of a market in a View. */
export interface MarketObligations {
  readonly loans: ObligationSnapshot;
  /** Those without debt that have a deposit, under the same numbers of reserves. */
  readonly unborrowed: ObligationTable;
}

/** What a View says about the loans of a market besides its positions. */
type LoansView = Pick<View, 'moment' | 'reservesOfMarket'>;

/** What a later state is made from. */
interface Made extends MarketObligations {
  readonly positions: Positions;
  readonly unreadable: ReadonlySet<Address>;
}

const MARKET_AT = layout.offsetOf('lendingMarket');
const HAS_DEBT_AT = layout.offsetOf('hasDebt');
const ACCOUNTS_PER_STEP = 64;

/**
 * The obligations of markets from the positions of Views. Each state is made once, from the one before it and what changed
 * since. Tables are in the order of addresses, so that all gateways break ties in the same way.
 */
export class ResidentLoans {
  readonly #program: Address;
  /** Newest state by market, under way or finished. */
  readonly #newest: LRUCache<Address, { readonly positions: Positions; readonly made: Promise<Made> }>;

  /** @param markets most markets whose obligations are cached */
  constructor(program: Address, markets: number) {
    this.#program = program;
    this.#newest = new LRUCache({ max: markets });
  }

  async of(view: LoansView, positions: Positions, market: Address): Promise<MarketObligations> {
    const known = this.#newest.get(market);
    if (known?.positions === positions) return await known.made;
    const made = this.#make(view, positions, market, known?.made ?? null);
    const isNewer = known === undefined || known.positions.slot <= positions.slot;
    if (isNewer) {
      this.#newest.set(market, { positions, made });
      made.catch(() => this.#newest.delete(market));
    }
    return await made;
  }

  async #make(
    view: LoansView,
    positions: Positions,
    market: Address,
    before: Promise<Made> | null,
  ): Promise<Made> {
    const known = await before;
    const changes = known === null ? null : positions.changesSince(known.positions);
    const { slot, timestamp } = view.moment;
    const head = { market, slot, indexedAt: new Date(Number(timestamp) * 1_000) };
    if (known === null || changes === null) {
      const reserves = new ReserveNumbers();
      // In this order, so that the numbers are those of every other gateway.
      for (const { address } of view.reservesOfMarket(market)) reserves.of(address);
      const parts = await this.#packed(positions.within('obligation', market), reserves);
      const loans = await tableOf(ObligationTable.empty, parts.loans, new Set());
      const unborrowed = await tableOf(ObligationTable.empty, parts.unborrowed, new Set());
      const { unreadable } = parts;
      return {
        loans: { ...head, reserves, table: loans, unreadable: unreadable.size },
        unborrowed,
        positions,
        unreadable,
      };
    }
    const { reserves } = known.loans;
    const gone = new Set(changes.flatMap(({ kind, address }) => (kind === 'obligation' ? [address] : [])));
    const parts = await this.#packed(presentIn(market, positions, gone), reserves);
    const unreadable = new Set([...known.unreadable].filter((address) => !gone.has(address)));
    for (const address of parts.unreadable) unreadable.add(address);
    return {
      loans: {
        ...head,
        reserves,
        table: await tableOf(known.loans.table, parts.loans, gone),
        unreadable: unreadable.size,
      },
      unborrowed: await tableOf(known.unborrowed, parts.unborrowed, gone),
      positions,
      unreadable,
    };
  }

  async #packed(accounts: Iterable<ChainAccount>, reserves: ReserveNumbers) {
    const loans: Uint8Array[] = [];
    const unborrowed: Uint8Array[] = [];
    const unreadable = new Set<Address>();
    let done = 0;
    for (const account of accounts) {
      const pause = pauseAt(done);
      if (pause !== null) await pause;
      done += 1;
      const hasDebt = account.data[HAS_DEBT_AT] === 1;
      try {
        const packed = packObligation(account, this.#program, reserves);
        if (hasDebt && packed.debts > 0) loans.push(packed.record);
        else if (packed.debts + packed.deposits > 0) unborrowed.push(packed.record);
      } catch (error) {
        if (!isCodedError(error)) throw error;
        if (hasDebt) unreadable.add(account.address);
      }
    }
    return { loans, unborrowed, unreadable };
  }
}

/** The records of a table but for those that are gone, and new ones, by address. */
async function tableOf(
  before: ObligationTable,
  added: readonly Uint8Array[],
  gone: ReadonlySet<Address>,
): Promise<ObligationTable> {
  const goneNumbers = new Set([...gone].flatMap((address) => before.find(address) ?? []));
  if (added.length === 0 && goneNumbers.size === 0) return before;
  const builder = new ObligationTableBuilder();
  const sorted = await sortedRecords(added);
  let next = 0;
  for (let number = 0; number < before.size; number += 1) {
    const pause = pauseAt(number);
    if (pause !== null) await pause;
    if (goneNumbers.has(number)) continue;
    const record = before.record(number);
    for (let each = sorted[next]; each !== undefined && compareKeys(each, record) < 0; each = sorted[next]) {
      builder.add(each);
      next += 1;
    }
    builder.add(record);
  }
  for (; next < sorted.length; next += 1) {
    const pause = pauseAt(next);
    if (pause !== null) await pause;
    const record = sorted[next];
    if (record !== undefined) builder.add(record);
  }
  return await builder.build();
}

/** Sorted in parts by the first byte of the address, so that none takes long. */
async function sortedRecords(records: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[][] = Array.from({ length: 256 }, () => []);
  for (const record of records) parts[record[0] ?? 0]?.push(record);
  const sorted: Uint8Array[] = [];
  for (const part of parts) {
    const pause = pauseAt(0);
    if (pause !== null) await pause;
    for (const record of part.sort(compareKeys)) sorted.push(record);
  }
  return sorted;
}

/** A record begins with its address. */
function compareKeys(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < 32; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function pauseAt(done: number): Promise<void> | null {
  return done % ACCOUNTS_PER_STEP === 0 ? scheduler.pause() : null;
}

/** Those of some obligations that are in a market. */
function* presentIn(market: Address, positions: Positions, obligations: Iterable<Address>) {
  for (const address of obligations) {
    const account = positions.account('obligation', address);
    if (account !== null && isIn(account, market)) yield account;
  }
}

function isIn({ data }: ChainAccount, market: Address): boolean {
  return data.length >= MARKET_AT + 32 && readAddress(viewOf(data), MARKET_AT) === market;
}
