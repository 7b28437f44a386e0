import type { AccountInfoInput, GrpcStatus, SubscribeUpdateInput } from '@sluice/geyser';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../chain.ts';
import { bytesOf } from './encode-transaction.ts';
import type { Fork } from './slot-recorder.ts';

/** Falsifies account updates. */
export interface AccountFault {
  /** Omit for all accounts. */
  readonly address?: Address;
  /** Sent instead of the true owner. */
  readonly owner?: Address;
  /** Cuts the data to this length. */
  readonly dataBytes?: number;
  /** Data sent instead of the true one, for the accounts for which it returns any. */
  readonly alter?: (data: Uint8Array) => Uint8Array | null;
}

/** What the faults need of the server. */
export interface FaultTarget {
  dropConnections(): void;
  forgetReplay(): void;
  forkNext(fork: Fork): void;
  endAll(status: GrpcStatus, message: string): void;
  release(): void;
  flood(updates: number): void;
}

export interface ForkOptions {
  /** The accounts that the fork writes; one more lamport by default. */
  readonly alter?: Fork['alter'];
  /** False: no SLOT_DEAD, only a confirmed sibling. */
  readonly isAnnounced?: boolean;
}

const withOneMoreLamport = (account: StoredAccount): StoredAccount => ({
  ...account,
  lamports: account.lamports + 1n,
});

/** Makes the stream misbehave on purpose. */
export class GeyserFaults {
  readonly #target: FaultTarget;
  readonly #accountFaults = new Set<AccountFault>();
  #refusal: { readonly status: GrpcStatus; readonly message: string } | null = null;
  #isStalled = false;
  #skips = 0;
  /** Sends each update this many times. */
  copies = 1;
  /** Sends the updates of a slot, its status among them, in reverse. */
  isReordered = false;

  constructor(target: FaultTarget) {
    this.#target = target;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Answer to every subscription; null without this fault. */
  get refusal(): { readonly status: GrpcStatus; readonly message: string } | null {
    return this.#refusal;
  }

  /** Closes all connections. */
  drop(): void {
    this.#target.dropConnections();
  }

  /** Connections stay and nothing arrives, pings neither, until `resume`. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Sends what was held back. */
  resume(): void {
    this.#isStalled = false;
    this.#target.release();
  }

  /** Leaves out the next slots of live streams. A replay has them. */
  skip(slots: number): void {
    this.#skips = slots;
  }

  /** Closes all connections and forgets the slots for replay. */
  restart(): void {
    this.#target.forgetReplay();
    this.#target.dropConnections();
  }

  /** The next slot has other contents at PROCESSED, then dies; the true ones follow in the slot after it. */
  fork({ alter = withOneMoreLamport, isAnnounced = true }: ForkOptions = {}): void {
    this.#target.forkNext({ alter, isAnnounced });
  }

  /** Ends all subscriptions with this status, and each new one, until `clear`. */
  refuse(status: GrpcStatus, message: string): void {
    this.#refusal = { status, message };
    this.#target.endAll(status, message);
  }

  /** Returns a function that removes the fault. */
  falsify(fault: AccountFault): () => void {
    this.#accountFaults.add(fault);
    return () => this.#accountFaults.delete(fault);
  }

  /** Sends this many further updates of accounts, each with a new write version. */
  flood(updates: number): void {
    this.#target.flood(updates);
  }

  clear(): void {
    this.#refusal = null;
    this.#accountFaults.clear();
    this.#skips = 0;
    this.copies = 1;
    this.isReordered = false;
    this.resume();
  }

  /** Whether live streams get the slot that begins. */
  takeSlot(): boolean {
    if (this.#skips === 0) return true;
    this.#skips -= 1;
    return false;
  }

  /** The updates that are sent for one. */
  applied(update: SubscribeUpdateInput): readonly SubscribeUpdateInput[] {
    const info = update.account?.account;
    let sent = update;
    if (info !== undefined && info !== null) {
      for (const fault of this.#accountFaults) sent = falsified(sent, info, fault);
    }
    return this.copies === 1 ? [sent] : Array.from({ length: this.copies }, () => sent);
  }
}

function falsified(
  update: SubscribeUpdateInput,
  info: AccountInfoInput,
  { address, owner, dataBytes, alter }: AccountFault,
): SubscribeUpdateInput {
  if (address !== undefined && !Buffer.from(bytesOf(address)).equals(info.pubkey ?? new Uint8Array()))
    return update;
  const altered = info.data == null ? null : (alter?.(info.data) ?? null);
  const account = {
    ...(update.account?.account ?? info),
    ...(owner === undefined ? {} : { owner: bytesOf(owner) }),
    ...(dataBytes === undefined ? {} : { data: info.data?.subarray(0, dataBytes) }),
    ...(altered === null ? {} : { data: altered }),
  };
  return { ...update, account: { ...update.account, account } };
}
