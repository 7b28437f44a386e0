import type { Address } from '@solana/kit';
import type {
  Ledger,
  LedgerAccount,
  LedgerBlock,
  LedgerTransaction,
  SimulationOptions,
  TransactionListener,
} from '../../../src/demo/ledger.ts';
import { startDemoRpc } from '../../../src/demo/rpc/server.ts';
import type { TransactionOutcome } from '../../../src/demo/runtime/outcome.ts';
import { createDemoLedger, type DemoLedger } from '../../../src/demo/world/demo-ledger.ts';
import { SLOT_MS } from '../../../src/demo/world/time.ts';
import { type AccountLayout, viewOf } from '../../../src/programs/layout/account.ts';
import type { Fields, StructInput } from '../../../src/programs/layout/struct.ts';
import { runOnLedger } from './run-on-ledger.ts';

/** Midnight, so that the world has nothing to catch up on when it starts. */
const START_MS = Date.UTC(2026, 5, 1);

/** The embedded world with a clock that the test advances and accounts that it can replace. */
export class TestLedger implements Ledger {
  readonly demo: DemoLedger;
  #nowMs = START_MS;
  readonly #placed = new Map<Address, LedgerAccount | null>();
  #touched = new Set<Address>();

  constructor() {
    this.demo = createDemoLedger({ now: () => this.#nowMs });
  }

  get addresses() {
    return this.demo.addresses;
  }

  get slot(): bigint {
    return this.demo.slot;
  }

  get blockHeight(): bigint {
    return this.demo.blockHeight;
  }

  blockTime(slot: bigint): number | null {
    return this.demo.blockTime(slot);
  }

  blockhash() {
    return this.demo.blockhash();
  }

  isBlockhashValid(hash: string): boolean {
    return this.demo.isBlockhashValid(hash);
  }

  account(address: Address): LedgerAccount | undefined {
    const placed = this.#placed.get(address);
    return placed === undefined ? this.demo.account(address) : (placed ?? undefined);
  }

  *programAccounts(program: Address): Iterable<readonly [Address, LedgerAccount]> {
    for (const entry of this.demo.programAccounts(program)) if (!this.#placed.has(entry[0])) yield entry;
    for (const [address, placed] of this.#placed) if (placed?.owner === program) yield [address, placed];
  }

  transactionsOf(address: Address): readonly LedgerTransaction[] {
    return this.demo.transactionsOf(address);
  }

  transaction(signature: string): LedgerTransaction | undefined {
    return this.demo.transaction(signature);
  }

  block(slot: bigint): LedgerBlock {
    return this.demo.block(slot);
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    return this.demo.onSlot((slot, changed) => listener(slot, [...new Set([...changed, ...this.#touched])]));
  }

  get faucet() {
    return this.demo.faucet;
  }

  onTransaction(listener: TransactionListener): () => void {
    return this.demo.onTransaction(listener);
  }

  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome {
    return runOnLedger(this, wire, options);
  }

  /** Runs it on the world's own accounts, without those placed. */
  send(wire: Uint8Array): TransactionOutcome {
    return this.demo.send(wire);
  }

  /** Replaces an account and announces it with the next slot; null closes the account. */
  place(address: Address, account: LedgerAccount | null): void {
    this.#placed.set(address, account);
    this.#touched.add(address);
  }

  /** Restores the world's own accounts. */
  restore(): void {
    for (const address of this.#placed.keys()) this.#touched.add(address);
    this.#placed.clear();
  }

  /** Advances by some slots. */
  advance(slots = 1): void {
    for (let i = 0; i < slots; i += 1) {
      this.#nowMs += SLOT_MS;
      this.demo.tick();
      this.#touched = new Set();
    }
  }
}

/** A world that nobody changes. */
export type UnchangedLedger = Omit<TestLedger, 'place' | 'restore' | 'advance'>;

let unchanged: UnchangedLedger | undefined;

/** The same one for all tests of a worker: generating a world takes half a second of processor time. */
export function unchangedLedger(): UnchangedLedger {
  unchanged ??= new TestLedger();
  return unchanged;
}

/** The account at an address, which must exist. */
export function accountIn(ledger: Ledger, address: Address): LedgerAccount {
  const account = ledger.account(address);
  if (account === undefined) throw new Error(`the ledger has no account ${address}`);
  return account;
}

/** The account with some fields changed and every other byte as it was. */
export function withFields<F extends Fields>(
  layout: AccountLayout<F>,
  account: LedgerAccount,
  fields: StructInput<F>,
): LedgerAccount {
  const data = account.data.slice();
  layout.body.write(viewOf(data), layout.discriminator.length, fields);
  return { ...account, data };
}

/** An RPC server over the ledger. */
export const serveLedger = (ledger: Ledger) => startDemoRpc(ledger);
