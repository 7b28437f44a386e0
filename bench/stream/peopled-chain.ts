import type {
  ChainBlock,
  ChainTransaction,
  Faucet,
  SimulationOptions,
  StoredAccount,
  StreamableChain,
  TransactionListener,
} from '@sluice/localnet/chain';
import type { WorldChain } from '@sluice/localnet/world/world-chain';
import { lastUpdate } from '@sluice/protocol/klend/last-update';
import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { People } from './people.ts';

/** Changes in each slot beside those of the world. */
export interface Movement {
  /** Obligations and share accounts, half of each. */
  readonly positions: number;
  readonly reserves: number;
}

/** A change that a client waits for. */
export interface WatchedWrite {
  readonly address: string;
  readonly slot: string;
  /** Unix milliseconds. */
  readonly at: number;
}

const PROGRAMS: readonly Address[] = [
  MAINNET_PROGRAMS.klend,
  MAINNET_PROGRAMS.kvault,
  MAINNET_PROGRAMS.farms,
];
const REFRESHED_SLOT = reserve.offsetOf('lastUpdate') + lastUpdate.offsets.slot;

/** A localnet with more wallets, of which some act in every slot, and reserves that are refreshed as often as is wanted. */
export class PeopledChain implements StreamableChain {
  movement: Movement = { positions: 0, reserves: 0 };
  /** Obligations of which one changes in every slot. */
  watched: readonly Address[] = [];
  readonly #chain: WorldChain;
  readonly #people: People;
  /** Slot in which a reserve was last refreshed beside the world's refreshes. */
  readonly #refreshedAt = new Map<Address, bigint>();
  #changed: readonly Address[] = [];
  #turn = 0;
  #writes: WatchedWrite[] = [];
  /** Changed accounts of the programs and of wallets since the start, each once per slot. */
  changes = 0;

  constructor(chain: WorldChain, people: People) {
    this.#chain = chain;
    this.#people = people;
    // The first listener, so that the others see the changes.
    chain.onSlot((slot, changed) => {
      this.#move(slot);
      this.changes += new Set([
        ...changed.filter((address) => this.#isOfPrograms(address)),
        ...this.#changed,
      ]).size;
    });
  }

  /** Changes of watched obligations since the last call. */
  takeWrites(): WatchedWrite[] {
    return this.#writes.splice(0);
  }

  get slot(): bigint {
    return this.#chain.slot;
  }

  get blockHeight(): bigint {
    return this.#chain.blockHeight;
  }

  get faucet(): Faucet {
    return this.#chain.faucet;
  }

  blockTime(slot: bigint): number | null {
    return this.#chain.blockTime(slot);
  }

  blockhash() {
    return this.#chain.blockhash();
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#chain.isBlockhashValid(blockhash);
  }

  account(address: Address): StoredAccount | undefined {
    const account = this.#people.account(address) ?? this.#chain.account(address);
    return account && this.#refreshed(address, account);
  }

  *programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    for (const [address, account] of this.#chain.programAccounts(program))
      yield [address, this.#refreshed(address, account)];
    yield* this.#people.ofProgram(program);
  }

  transactionsOf(address: Address): readonly ChainTransaction[] {
    return this.#chain.transactionsOf(address);
  }

  transaction(signature: string): ChainTransaction | undefined {
    return this.#chain.transaction(signature);
  }

  block(slot: bigint): ChainBlock {
    return this.#chain.block(slot);
  }

  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void {
    return this.#chain.onSlot((slot, changed) =>
      listener(slot, [...new Set([...changed, ...this.#changed])]),
    );
  }

  onSlotEnd(listener: (slot: bigint) => void): () => void {
    return this.#chain.onSlotEnd(listener);
  }

  onTransaction(listener: TransactionListener): () => void {
    return this.#chain.onTransaction(listener);
  }

  simulate(wire: Uint8Array, options: SimulationOptions) {
    return this.#chain.simulate(wire, options);
  }

  send(wire: Uint8Array) {
    return this.#chain.send(wire);
  }

  #isOfPrograms(address: Address): boolean {
    const owner = this.#chain.account(address)?.owner;
    return owner !== undefined && PROGRAMS.includes(owner);
  }

  #move(slot: bigint): void {
    const { positions, reserves } = this.movement;
    const { world } = this.#chain;
    const refreshed = Array.from({ length: reserves }, () => {
      this.#turn += 1;
      return world.reserves[this.#turn % world.reserves.length];
    }).flatMap((each) => (each === undefined ? [] : [each.address]));
    for (const address of refreshed) this.#refreshedAt.set(address, slot);
    this.#changed = [...this.#people.changeSome(positions, slot), ...refreshed, ...this.#write(slot)];
  }

  #write(slot: bigint): Address[] {
    const address = this.watched[Number(slot) % this.watched.length];
    if (address === undefined) return [];
    this.#writes.push({ address, slot: String(slot), at: Date.now() });
    return [this.#people.change(address, slot)];
  }

  /** A refresh stamps the slot; the interest of some slots is left to the world's own refreshes. */
  #refreshed(address: Address, account: StoredAccount): StoredAccount {
    const slot = this.#refreshedAt.get(address);
    if (slot === undefined) return account;
    const data = account.data.slice();
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (view.getBigUint64(REFRESHED_SLOT, true) < slot) view.setBigUint64(REFRESHED_SLOT, slot, true);
    return { ...account, data };
  }
}
