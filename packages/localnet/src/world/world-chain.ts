import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import {
  type ChainBlock,
  ChainStoppedError,
  type ChainTransaction,
  type Exchange,
  type Faucet,
  type SimulationOptions,
  type StoredAccount,
  type StreamableChain,
  type TransactionListener,
} from '../chain.ts';
import type { ProcessedTransaction, TransactionOutcome } from '../runtime/outcome.ts';
import type { Clock } from '../runtime/program.ts';
import { PROGRAMS } from '../runtime/programs.ts';
import { runInstructions } from '../runtime/run-instructions.ts';
import { processTransaction } from '../runtime/transaction/process-transaction.ts';
import type { WorldAddresses } from '../world-addresses.ts';
import { withEmergencyMode } from './emergency-mode.ts';
import { WorldExchange } from './exchange-quotes.ts';
import { WorldFaucet } from './faucet.ts';
import { generateWorld, isLongGap, type WorldChainOptions } from './generate-world.ts';
import { actionTransaction } from './live/action-transaction.ts';
import { actRandomly, advanceLive, catchUp } from './live/advance-live.ts';
import { type Executor, LiveWorld } from './live/live-world.ts';
import { blockHeightOf, GENESIS_SLOT, SHORT_SLOT_MS, slotAt, timeOf } from './time.ts';
import { TransactionLog } from './transaction-log.ts';
import type { World } from './world.ts';
import { worldAddressesOf } from './world-wallet.ts';

const BLOCKHASH_AGE = 150n;
/** Actions of wallets while time is skipped. */
const ACTIONS_PER_GAP = 40n;
/** Slots by which transactions may put the chain ahead of its clock. */
const MAX_LEAD = 10n;

/** State that a reset replaces. */
interface WorldState {
  readonly world: World;
  readonly clock: { slot: bigint };
  readonly live: LiveWorld;
  readonly transactions: TransactionLog;
  readonly faucet: Faucet;
  readonly exchange: Exchange;
}

/** The localnet: a deterministic world that moves with the clock. */
export class WorldChain implements StreamableChain {
  readonly addresses: WorldAddresses;
  readonly #options: WorldChainOptions;
  #state: WorldState;
  readonly #listeners = new Set<(slot: bigint, changed: readonly Address[]) => void>();
  readonly #endListeners = new Set<(slot: bigint) => void>();
  readonly #transactionListeners = new Set<TransactionListener>();
  #endedSlot: bigint;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  /** When the world first reached the present, in unix milliseconds. */
  readonly bootedAt: number;

  constructor(options: WorldChainOptions) {
    this.#options = options;
    this.bootedAt = options.now();
    this.#state = this.#generate();
    this.addresses = worldAddressesOf(this.world);
    this.world.store.takeChanged();
    this.#endedSlot = this.slot;
  }

  get world(): World {
    return this.#state.world;
  }

  get faucet(): Faucet {
    return this.#state.faucet;
  }

  get exchange(): Exchange {
    return this.#state.exchange;
  }

  get slot(): bigint {
    return this.#clock.slot;
  }

  get #clock(): { slot: bigint } {
    return this.#state.clock;
  }

  get #transactions(): TransactionLog {
    return this.#state.transactions;
  }

  get blockHeight(): bigint {
    return blockHeightOf(this.#clock.slot);
  }

  blockTime(slot: bigint): number | null {
    return slot > this.#clock.slot || slot < GENESIS_SLOT ? null : timeOf(slot);
  }

  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    return {
      blockhash: this.world.blockhashOf(this.#clock.slot),
      lastValidBlockHeight: this.blockHeight + BLOCKHASH_AGE,
    };
  }

  isBlockhashValid(blockhash: string): boolean {
    for (let age = 0n; age <= BLOCKHASH_AGE; age += 1n) {
      if (this.world.blockhashOf(this.#clock.slot - age) === blockhash) return true;
    }
    return false;
  }

  account(address: Address): StoredAccount | undefined {
    return this.world.store.get(address);
  }

  programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    return this.world.store.ofProgram(program);
  }

  transactionsOf(address: Address): readonly ChainTransaction[] {
    return this.#transactions.of(address);
  }

  transaction(signature: string): ChainTransaction | undefined {
    return this.#transactions.bySignature(signature);
  }

  block(slot: bigint): ChainBlock {
    return {
      blockhash: this.world.blockhashOf(slot),
      previousBlockhash: this.world.blockhashOf(slot - 1n),
      blockHeight: blockHeightOf(slot),
      transactions: this.#transactions.inSlot(slot),
    };
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onSlotEnd(listener: (slot: bigint) => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  onTransaction(listener: TransactionListener): () => void {
    this.#transactionListeners.add(listener);
    return () => this.#transactionListeners.delete(listener);
  }

  simulate(wire: Uint8Array, { verifySignatures, replaceBlockhash }: SimulationOptions): TransactionOutcome {
    const chain = {
      accounts: this.world.store,
      clock: clockAt(this.slot),
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
    if (this.#stopped) throw new ChainStoppedError('The localnet is stopping');
    this.#enterOwnSlot();
    const outcome = this.simulate(wire, { verifySignatures: true, replaceBlockhash: false });
    if (outcome.kind === 'processed') this.#commit(outcome);
    this.#endUnlessShared();
    return outcome;
  }

  /** Advances to the current slot. */
  tick(): void {
    const target = slotAt(this.#options.now());
    if (isLongGap(this.slot, target)) this.#skipTo(target);
    while (this.slot < target) this.#enterNextSlot();
    this.#endUnlessShared();
  }

  /** Sets the price of a token, by symbol or mint, in USD scaled by 2^60. False when there is no such token. */
  setPrice(name: string, priceSf: bigint): boolean {
    const { tokens, prices, oracle } = this.world;
    const token = tokens.find(({ symbol, mint }) => symbol === name || mint.address === name);
    if (token === undefined) return false;
    prices.fix(token, priceSf, this.slot);
    oracle.publish(token, this.slot);
    return true;
  }

  /** Switches the emergency mode of a reserve or market. False when the address is of neither. */
  setEmergencyMode(address: Address, isOn: boolean): boolean {
    const { store } = this.world;
    const account = store.get(address);
    const switched = account && withEmergencyMode(account, isOn);
    if (!switched) return false;
    store.commit(new Map([[address, switched]]));
    return true;
  }

  /**
   * Restores the accounts and prices with which the chain started and forgets what was sent since. Time does not go back:
   * readers would take an older slot for a fault.
   */
  reset(): void {
    this.#endSlot();
    const { slot } = this;
    const replaced = this.world.store.addresses();
    this.#state = this.#generate();
    this.#clock.slot = slot + 1n;
    catchUp(this.#state.live, this.#isQuiet);
    this.#announce(replaced);
  }

  /** Advances with the clock until stopped. The timer does not keep the process alive. */
  start(): void {
    this.#stopped = false;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.tick(), SHORT_SLOT_MS);
    this.#timer.unref();
  }

  /** From now on, sending fails. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The world as it was when the chain started. */
  #generate(): WorldState {
    const { world, clock, stops } = generateWorld({ ...this.#options, now: () => this.bootedAt });
    for (const _ of stops) throw new RangeError('Unexpected stop');
    return {
      world,
      clock,
      live: new LiveWorld(world, this.#executor(world, clock)),
      transactions: new TransactionLog(world),
      faucet: new WorldFaucet(world.seed, world.tokens, () => this.blockhash().blockhash),
      exchange: new WorldExchange(world, () => ({ clock: clockAt(clock.slot), blockhash: this.blockhash() })),
    };
  }

  #executor(world: World, clock: { readonly slot: bigint }): Executor {
    return {
      get slot() {
        return clock.slot;
      },
      crank: (instructions) => {
        const changes = runInstructions(instructions, world.store, clockAt(clock.slot), PROGRAMS);
        if (changes !== null) world.store.commit(changes);
      },
      act: (wallet, action) => {
        const wire = actionTransaction(world, wallet, action, this.blockhash().blockhash);
        const outcome = this.simulate(wire, { verifySignatures: false, replaceBlockhash: false });
        if (outcome.kind !== 'processed' || outcome.failure !== null) return false;
        this.#commit(outcome);
        return true;
      },
    };
  }

  /**
   * Enters the next slot for a transaction: a reader who saw the present slot before it would take that for its effect.
   * When many are sent at once they share a slot, so that the chain does not run away from its clock. On a quiet chain,
   * which a test controls, it runs in the slot for which it was built.
   */
  #enterOwnSlot(): void {
    if (!this.#isShared) this.#enterNextSlot();
  }

  /** Whether the next transaction runs in the present slot. */
  get #isShared(): boolean {
    return this.#isQuiet || this.slot >= slotAt(this.#options.now()) + MAX_LEAD;
  }

  #endUnlessShared(): void {
    if (!this.#isShared) this.#endSlot();
  }

  #endSlot(): void {
    if (this.#endedSlot >= this.slot) return;
    this.#endedSlot = this.slot;
    for (const listener of this.#endListeners) listener(this.slot);
  }

  #enterNextSlot(): void {
    this.#endSlot();
    this.#clock.slot += 1n;
    advanceLive(this.#state.live, this.#isQuiet);
    this.#announce();
  }

  get #isQuiet(): boolean {
    return this.#options.quiet ?? false;
  }

  /** Skips a long time with a few actions spread over it. */
  #skipTo(target: bigint): void {
    this.#endSlot();
    const from = this.slot;
    const actions = this.#isQuiet ? 0n : ACTIONS_PER_GAP;
    for (let i = 1n; i <= actions; i += 1n) {
      this.#clock.slot = from + ((target - from) * i) / (actions + 1n);
      actRandomly(this.#state.live);
    }
    this.#clock.slot = target;
    catchUp(this.#state.live, this.#isQuiet);
    this.#announce();
  }

  /** @param replaced accounts that changed besides those that the store knows of */
  #announce(replaced: Iterable<Address> = []): void {
    this.world.store.touch(CLOCK_SYSVAR);
    this.world.store.touch(RECENT_BLOCKHASHES_SYSVAR);
    const changed = [...new Set([...this.world.store.takeChanged(), ...replaced])];
    for (const listener of this.#listeners) listener(this.slot, changed);
  }

  #commit({ failure, changes, record }: ProcessedTransaction): void {
    const { store } = this.world;
    const { signature, ...body } = record;
    store.commit(changes);
    const changed = store.takeChanged();
    const transaction = this.#transactions.append({ signature, slot: this.slot, error: failure }, body);
    for (const listener of this.#transactionListeners) listener(transaction, changed);
  }
}

function clockAt(slot: bigint): Clock {
  return { slot, unixTimestamp: BigInt(timeOf(slot)) };
}

export type { WorldChainOptions } from './generate-world.ts';

export function createWorldChain(options: WorldChainOptions): WorldChain {
  return new WorldChain(options);
}
