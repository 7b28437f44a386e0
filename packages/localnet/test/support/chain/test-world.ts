import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import type { Address } from '@solana/kit';
import type {
  ChainBlock,
  ChainTransaction,
  LocalChain,
  SimulationOptions,
  StoredAccount,
  StreamableChain,
  TransactionListener,
} from '../../../src/chain.ts';
import type { EncodingCache } from '../../../src/rpc/encode-account.ts';
import { startRpcServer } from '../../../src/rpc/server.ts';
import type { TransactionOutcome } from '../../../src/runtime/outcome.ts';
import { slotAt, startOf } from '../../../src/world/time.ts';
import { createWorldChain, type WorldChain } from '../../../src/world/world-chain.ts';
import { runOnChain } from './run-on-world.ts';

/** Midnight, so that the world has nothing to catch up on when it starts. */
const START_MS = Date.UTC(2026, 5, 1);

/** The generated world with a clock that the test advances and accounts that it can replace. */
export class TestChain implements StreamableChain {
  readonly worldChain: WorldChain;
  #nowMs = START_MS;
  readonly #placed = new Map<Address, StoredAccount | null>();
  #touched = new Set<Address>();

  constructor() {
    this.worldChain = createWorldChain({ now: () => this.#nowMs });
  }

  get addresses() {
    return this.worldChain.addresses;
  }

  get slot(): bigint {
    return this.worldChain.slot;
  }

  get blockHeight(): bigint {
    return this.worldChain.blockHeight;
  }

  blockTime(slot: bigint): number | null {
    return this.worldChain.blockTime(slot);
  }

  blockhash() {
    return this.worldChain.blockhash();
  }

  isBlockhashValid(hash: string): boolean {
    return this.worldChain.isBlockhashValid(hash);
  }

  account(address: Address): StoredAccount | undefined {
    const placed = this.#placed.get(address);
    return placed === undefined ? this.worldChain.account(address) : (placed ?? undefined);
  }

  *programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    for (const entry of this.worldChain.programAccounts(program))
      if (!this.#placed.has(entry[0])) yield entry;
    for (const [address, placed] of this.#placed) if (placed?.owner === program) yield [address, placed];
  }

  transactionsOf(address: Address): readonly ChainTransaction[] {
    return this.worldChain.transactionsOf(address);
  }

  transaction(signature: string): ChainTransaction | undefined {
    return this.worldChain.transaction(signature);
  }

  block(slot: bigint): ChainBlock {
    return this.worldChain.block(slot);
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    return this.worldChain.onSlot((slot, changed) =>
      listener(slot, [...new Set([...changed, ...this.#touched])]),
    );
  }

  get faucet() {
    return this.worldChain.faucet;
  }

  onSlotEnd(listener: (slot: bigint) => void): () => void {
    return this.worldChain.onSlotEnd(listener);
  }

  onTransaction(listener: TransactionListener): () => void {
    return this.worldChain.onTransaction(listener);
  }

  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome {
    return runOnChain(this, wire, options);
  }

  /** Runs it on the world's own accounts, without those placed. */
  send(wire: Uint8Array): TransactionOutcome {
    return this.worldChain.send(wire);
  }

  /** Replaces an account and announces it with the next slot; null closes the account. */
  place(address: Address, account: StoredAccount | null): void {
    this.#placed.set(address, account);
    this.#touched.add(address);
  }

  /** Restores the world's own accounts. */
  restore(): void {
    for (const address of this.#placed.keys()) this.#touched.add(address);
    this.#placed.clear();
  }

  /** Advances to the first slot of the next second: reserves with rates per second accrue once in it. */
  enterNextSecond(): void {
    const second = this.blockTime(this.slot);
    do this.advance();
    while (this.blockTime(this.slot) === second);
  }

  /** Advances by some slots. */
  advance(slots = 1): void {
    for (let i = 0; i < slots; i += 1) {
      this.#nowMs = startOf(slotAt(this.#nowMs) + 1n);
      this.worldChain.tick();
      this.#touched = new Set();
    }
  }
}

/** A world that nobody changes. */
export type UnchangedChain = Omit<TestChain, 'place' | 'restore' | 'advance'>;

let unchanged: UnchangedChain | undefined;

/** The same one for all tests of a worker: generating a world takes half a second of processor time. */
export function unchangedChain(): UnchangedChain {
  unchanged ??= new TestChain();
  return unchanged;
}

/** The account at an address, which must exist. */
export function accountIn(localChain: LocalChain, address: Address): StoredAccount {
  const account = localChain.account(address);
  if (account === undefined) throw new Error(`the chain has no account ${address}`);
  return account;
}

/** The account with some fields changed and every other byte as it was. */
export function withFields<F extends Fields>(
  layout: AccountLayout<F>,
  account: StoredAccount,
  fields: StructInput<F>,
): StoredAccount {
  const data = account.data.slice();
  layout.body.write(viewOf(data), layout.discriminator.length, fields);
  return { ...account, data };
}

/** Most gateways of a worker read the same unchanged chain. */
const encodings: EncodingCache = new WeakMap();

/** An RPC server over the chain. */
export const serveChain = (localChain: LocalChain) => startRpcServer(localChain, { encodings });
