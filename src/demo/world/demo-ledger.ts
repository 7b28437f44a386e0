import { type Address, getBase58Decoder } from '@solana/kit';
import { CLOCK_SYSVAR } from '../../programs/program-ids.ts';
import type { DemoAddresses } from '../demo-addresses.ts';
import type { Ledger, LedgerAccount, LedgerTransaction } from '../ledger.ts';
import { AccountStore } from './account-store.ts';
import { demoAddressesOf } from './demo-wallet.ts';
import { Journal } from './journal.ts';
import { jump, liveThroughSlot } from './live.ts';
import { addLookupTables } from './lookup-tables.ts';
import { Oracle } from './oracle.ts';
import { planCell, settlePast } from './past.ts';
import { Plan } from './plan.ts';
import { Prices } from './prices.ts';
import { digest } from './prng.ts';
import { addRuntimeAccounts } from './runtime-accounts.ts';
import { blockHeightOf, dayStart, GENESIS_SLOT, SLOT_MS, slotAt, timeOf } from './time.ts';
import { addMint } from './token-accounts.ts';
import { createTokens } from './tokens.ts';
import { TransactionLog } from './transaction-log.ts';
import type { World } from './world.ts';

export interface DemoLedgerOptions {
  /** Another seed is another world, with other addresses. */
  readonly seed?: number | string;
  /** How many copies of the basic pattern there are. */
  readonly scale?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The moment (unix milliseconds) up to which the past is told in full; midnight of the present day when left out. */
  readonly startedAt?: number;
}

/** Beyond this many slots at once, time is passed over instead of lived through. */
const MOST_SLOTS_AT_ONCE = 150n;
const ACTIONS_PER_JUMP = 40n;
const BLOCKHASH_AGE = 150n;

const base58 = getBase58Decoder();

/** The embedded chain: a deterministic world that moves with the clock. */
export class DemoLedger implements Ledger {
  readonly addresses: DemoAddresses;
  readonly world: World;
  #slot: bigint;
  readonly #now: () => number;
  readonly #transactions: TransactionLog;
  readonly #listeners = new Set<(slot: bigint, changed: readonly Address[]) => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ seed = 'sluice', scale = 1, now, startedAt }: DemoLedgerOptions) {
    const present = slotAt(startedAt ?? dayStart(now()));
    this.#now = now;
    this.#slot = present;
    this.world = createWorld(String(seed), scale, present, () => this.#slot);
    this.#transactions = new TransactionLog(this.world, (slot) => this.#blockhashOf(slot));
    this.addresses = demoAddressesOf(this.world);
    this.tick();
    this.world.store.takeChanged();
  }

  get slot(): bigint {
    return this.#slot;
  }

  get blockHeight(): bigint {
    return blockHeightOf(this.#slot);
  }

  blockTime(slot: bigint): number | null {
    return slot > this.#slot || slot < GENESIS_SLOT ? null : timeOf(slot);
  }

  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    return {
      blockhash: this.#blockhashOf(this.#slot),
      lastValidBlockHeight: this.blockHeight + BLOCKHASH_AGE,
    };
  }

  isBlockhashValid(blockhash: string): boolean {
    for (let age = 0n; age <= BLOCKHASH_AGE; age += 1n) {
      if (this.#blockhashOf(this.#slot - age) === blockhash) return true;
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

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Advances to the slot of the present moment. */
  tick(): void {
    const target = slotAt(this.#now());
    if (target - this.#slot > MOST_SLOTS_AT_ONCE) {
      jump(this.world, this.#slot, target, ACTIONS_PER_JUMP);
      this.#arriveAt(target);
    }
    while (this.#slot < target) {
      const slot = this.#slot + 1n;
      liveThroughSlot(this.world, slot);
      this.#arriveAt(slot);
    }
  }

  /** Ticks with the slots until stopped. The timer does not keep the process alive. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.tick(), SLOT_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #arriveAt(slot: bigint): void {
    this.#slot = slot;
    this.world.store.touch(CLOCK_SYSVAR);
    const changed = this.world.store.takeChanged();
    for (const listener of this.#listeners) listener(slot, changed);
  }

  #blockhashOf(slot: bigint): string {
    return base58.decode(digest(this.world.seed, 'block', String(slot)));
  }
}

export function createDemoLedger(options: DemoLedgerOptions): DemoLedger {
  return new DemoLedger(options);
}

function createWorld(seed: string, scale: number, present: bigint, slot: () => bigint): World {
  const store = new AccountStore();
  const prices = new Prices(seed);
  const tokens = createTokens(seed);
  const world: World = {
    seed,
    store,
    journal: new Journal(),
    prices,
    oracle: new Oracle(seed, prices, store, tokens, present),
    tokens,
    markets: [],
    reserves: [],
    vaults: [],
    farms: [],
    wallets: [],
    obligations: [],
    referrerStates: new Map(),
  };
  addRuntimeAccounts(store, seed, slot);
  for (const { mint } of tokens) addMint(store, mint);
  const plan = new Plan(present, prices);
  for (let cell = 0; cell < scale; cell += 1) planCell(world, plan, cell);
  plan.run();
  settlePast(world, present);
  addLookupTables(world);
  return world;
}
