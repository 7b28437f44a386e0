import type { ProgramIds } from '@sluice/protocol/program-ids';
import { type Clock, systemClock } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import type { ListedTransaction } from '../../chain/transactions/transactions.ts';
import { gapsIn, readCoverage, type SlotRange, scopeOf } from '../../store/transactions/slot-ranges.ts';
import { FinalizedSlot } from '../finalized-slot.ts';
import { readListed } from '../read-transactions.ts';
import { FOLLOWER } from '../reader.ts';
import { type AddressSource, addressSource, type IngestSource } from '../source.ts';
import { writeFinal } from './write-final.ts';

export interface GapFillerOptions {
  readonly source: IngestSource;
  readonly programs: ProgramIds;
  readonly clock?: Clock;
}

/** The holder of the lease, and what it reads. */
export interface FillRequest {
  readonly fence: bigint;
  /** Mints of shares: their checked transfers name no program of ours. */
  readonly mints: readonly Address[];
  readonly signal: AbortSignal;
}

/** The most signatures that a node lists per call. */
const LIST_LIMIT = 1_000;
const CHUNK = 100;
/**
 * About a day. A list is read from its newest end, so an old gap costs all that came after it. It stays known; the transactions of an
 * address are read from its own list when they are requested.
 */
const MAX_AGE_SLOTS = 216_000n;
const RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;

/** Reads what a stream has missed from the lists of the programs and of the mints of shares. */
export class GapFiller {
  readonly #options: GapFillerOptions;
  readonly #scope: string;
  readonly #clock: Clock;
  readonly #source: AddressSource;
  /** By the first slot of a gap: when to try again. */
  readonly #retries = new Map<bigint, { readonly atMs: number; readonly pauseMs: number }>();

  constructor(options: GapFillerOptions) {
    const { source, programs, clock = systemClock } = options;
    this.#options = options;
    this.#scope = scopeOf(programs);
    this.#clock = clock;
    const finalized = new FinalizedSlot(source.transactions, clock);
    this.#source = addressSource(
      source,
      finalized,
      () => FOLLOWER,
      () => undefined,
    );
  }

  /** Fills the gaps that are due, newest first. Slots of transactions that no endpoint returns remain gaps. @throws NOT_LEADER */
  async fill(request: FillRequest): Promise<void> {
    const { ranges } = await readCoverage(this.#source.db, this.#scope);
    const now = this.#clock.now();
    const due = gapsIn(ranges).filter(({ from }) => (this.#retries.get(from)?.atMs ?? 0) <= now);
    for (const gap of due.reverse()) {
      request.signal.throwIfAborted();
      const pauseMs = Math.min(2 * (this.#retries.get(gap.from)?.pauseMs ?? RETRY_MS / 2), MAX_RETRY_MS);
      this.#retries.set(gap.from, { atMs: this.#clock.now() + pauseMs, pauseMs });
      await this.#fillGap(gap, request);
    }
  }

  async #fillGap(gap: SlotRange, { fence, mints, signal }: FillRequest): Promise<void> {
    const { klend, kvault, farms } = this.#options.programs;
    const finalizedSlot = await this.#source.finalizedSlot(signal);
    const floor = await this.#firstAvailable(signal);
    const from = floor > gap.from ? floor : gap.from;
    if (finalizedSlot < gap.to || finalizedSlot - gap.to > MAX_AGE_SLOTS || from > gap.to) return;
    const unread = new Set<bigint>();
    for (const address of [klend, kvault, farms, ...mints]) {
      for await (const listed of this.#listed(address, { from, to: gap.to }, finalizedSlot, signal)) {
        const { eventful, missing } = await readListed(this.#source, listed, signal);
        for (const { slot } of missing) unread.add(slot);
        const write = { fence, scope: this.#scope, transactions: eventful, covered: [] };
        await writeFinal(this.#options.source, write, signal);
      }
    }
    const covered = without({ from, to: gap.to }, unread);
    await writeFinal(this.#options.source, { fence, scope: this.#scope, transactions: [], covered }, signal);
  }

  /** The transactions of an address in a range of slots, in chunks. */
  async *#listed(
    address: Address,
    { from, to }: SlotRange,
    minSlot: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<ListedTransaction[]> {
    let before: string | undefined;
    for (;;) {
      await this.#source.turn(signal);
      const listed = await this.#source.transactions.signaturesOf(address, {
        before,
        limit: LIST_LIMIT,
        minSlot,
        signal,
      });
      const wanted = listed.filter(({ slot, failed }) => !failed && slot >= from && slot <= to);
      for (let i = 0; i < wanted.length; i += CHUNK) yield wanted.slice(i, i + CHUNK);
      const last = listed.at(-1);
      if (listed.length < LIST_LIMIT || last === undefined || last.slot < from) return;
      before = last.signature;
    }
  }

  async #firstAvailable(signal: AbortSignal): Promise<bigint> {
    if (this.#source.wholeChain) return 0n;
    await this.#source.turn(signal);
    return await this.#source.transactions.firstAvailableSlot(signal);
  }
}

/** The parts of a range between some of its slots. */
function without({ from, to }: SlotRange, slots: ReadonlySet<bigint>): SlotRange[] {
  const parts: SlotRange[] = [];
  let start = from;
  for (const slot of [...slots].sort((a, b) => (a < b ? -1 : 1))) {
    if (slot > start) parts.push({ from: start, to: slot - 1n });
    start = slot + 1n;
  }
  if (start <= to) parts.push({ from: start, to });
  return parts;
}
