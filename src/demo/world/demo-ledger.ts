import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR } from '../../programs/program-ids.ts';
import type { DemoAddresses } from '../demo-addresses.ts';
import {
  ChainStoppedError,
  type Faucet,
  type Ledger,
  type LedgerAccount,
  type LedgerBlock,
  type LedgerTransaction,
  type SimulationOptions,
  type TransactionListener,
} from '../ledger.ts';
import type { ProcessedTransaction, TransactionOutcome } from '../runtime/outcome.ts';
import { PROGRAMS } from '../runtime/programs.ts';
import { processTransaction } from '../runtime/transaction/process-transaction.ts';
import { advanceSlot } from './advance-slot.ts';
import { blockhashOf } from './blockhash.ts';
import { demoAddressesOf } from './demo-wallet.ts';
import { WorldFaucet } from './faucet.ts';
import { type DemoLedgerOptions, generateWorld, isLongGap, skipTime } from './generate-world.ts';
import { tokenOwnersOf } from './live-models.ts';
import { blockHeightOf, GENESIS_SLOT, SLOT_MS, slotAt, timeOf } from './time.ts';
import { TransactionLog } from './transaction-log.ts';
import type { World } from './world.ts';

const BLOCKHASH_AGE = 150n;

/** The embedded chain: a deterministic world that moves with the clock. */
export class DemoLedger implements Ledger {
  readonly addresses: DemoAddresses;
  readonly world: World;
  readonly faucet: Faucet;
  readonly #clock: { slot: bigint };
  readonly #now: () => number;
  readonly #transactions: TransactionLog;
  readonly #listeners = new Set<(slot: bigint, changed: readonly Address[]) => void>();
  readonly #transactionListeners = new Set<TransactionListener>();
  readonly #blockhashes = new LRUCache<bigint, string>({ max: 512 });
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  /** When the world first reached the present, in unix milliseconds. */
  readonly bootedAt: number;

  constructor(options: DemoLedgerOptions) {
    const { world, clock, bootedAt, stops } = generateWorld(options);
    for (const _ of stops) throw new RangeError('Unexpected stop');
    this.world = world;
    this.bootedAt = bootedAt;
    this.#clock = clock;
    this.#now = options.now;
    this.#transactions = new TransactionLog(this.world, (slot) => this.#blockhashOf(slot));
    this.faucet = new WorldFaucet(world.seed, world.tokens, () => this.blockhash().blockhash);
    this.addresses = demoAddressesOf(this.world);
    this.world.store.takeChanged();
  }

  get slot(): bigint {
    return this.#clock.slot;
  }

  get blockHeight(): bigint {
    return blockHeightOf(this.#clock.slot);
  }

  blockTime(slot: bigint): number | null {
    return slot > this.#clock.slot || slot < GENESIS_SLOT ? null : timeOf(slot);
  }

  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    return {
      blockhash: this.#blockhashOf(this.#clock.slot),
      lastValidBlockHeight: this.blockHeight + BLOCKHASH_AGE,
    };
  }

  isBlockhashValid(blockhash: string): boolean {
    for (let age = 0n; age <= BLOCKHASH_AGE; age += 1n) {
      if (this.#blockhashOf(this.#clock.slot - age) === blockhash) return true;
    }
    return false;
  }

  account(address: Address): LedgerAccount | undefined {
    return this.world.store.get(address);
  }

  programAccounts(program: Address): Iterable<readonly [Address, LedgerAccount]> {
    return this.world.store.ofProgram(program);
  }

  transactionsOf(address: Address): readonly LedgerTransaction[] {
    return this.#transactions.of(address);
  }

  transaction(signature: string): LedgerTransaction | undefined {
    return this.#transactions.bySignature(signature);
  }

  block(slot: bigint): LedgerBlock {
    return {
      blockhash: this.#blockhashOf(slot),
      previousBlockhash: this.#blockhashOf(slot - 1n),
      blockHeight: blockHeightOf(slot),
      transactions: this.#transactions.inSlot(slot),
    };
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onTransaction(listener: TransactionListener): () => void {
    this.#transactionListeners.add(listener);
    return () => this.#transactionListeners.delete(listener);
  }

  simulate(wire: Uint8Array, { verifySignatures, replaceBlockhash }: SimulationOptions): TransactionOutcome {
    const chain = {
      accounts: this.world.store,
      clock: { slot: this.slot, unixTimestamp: BigInt(timeOf(this.slot)) },
      programs: PROGRAMS,
      isRecentBlockhash: (blockhash: string) => this.isBlockhashValid(blockhash),
      hasSignature: (signature: string) => this.#transactions.bySignature(signature) !== undefined,
    };
    const { blockhash } = this.blockhash();
    return processTransaction(wire, chain, {
      verifySignatures,
      ...(replaceBlockhash && { replaceBlockhash: blockhash }),
    });
  }

  send(wire: Uint8Array): TransactionOutcome {
    if (this.#stopped) throw new ChainStoppedError('The embedded chain is stopping');
    const outcome = this.simulate(wire, { verifySignatures: true, replaceBlockhash: false });
    if (outcome.kind === 'processed') this.#commit(outcome);
    return outcome;
  }

  /** Advances to the current slot. */
  tick(): void {
    const target = slotAt(this.#now());
    if (isLongGap(this.slot, target)) {
      skipTime(this.world, this.slot, target);
      this.#enterSlot(target);
    }
    while (this.slot < target) {
      const slot = this.slot + 1n;
      advanceSlot(this.world, slot);
      this.#enterSlot(slot);
    }
  }

  /** Advances with the clock until stopped. The timer does not keep the process alive. */
  start(): void {
    this.#stopped = false;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.tick(), SLOT_MS);
    this.#timer.unref();
  }

  /** From now on, sending fails. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #enterSlot(slot: bigint): void {
    this.#clock.slot = slot;
    this.world.store.touch(CLOCK_SYSVAR);
    this.world.store.touch(RECENT_BLOCKHASHES_SYSVAR);
    const changed = this.world.store.takeChanged();
    for (const listener of this.#listeners) listener(slot, changed);
  }

  #commit({ failure, changes, record }: ProcessedTransaction): void {
    const { store } = this.world;
    const { signature, ...body } = record;
    store.commit(changes);
    for (const owner of tokenOwnersOf(changes)) store.take(owner);
    const changed = store.takeChanged();
    const transaction = this.#transactions.append({ signature, slot: this.slot, error: failure }, body);
    for (const listener of this.#transactionListeners) listener(transaction, changed);
  }

  #blockhashOf(slot: bigint): string {
    const known = this.#blockhashes.get(slot);
    if (known !== undefined) return known;
    const blockhash = blockhashOf(this.world.seed, slot);
    this.#blockhashes.set(slot, blockhash);
    return blockhash;
  }
}

export type { DemoLedgerOptions } from './generate-world.ts';

export function createDemoLedger(options: DemoLedgerOptions): DemoLedger {
  return new DemoLedger(options);
}
