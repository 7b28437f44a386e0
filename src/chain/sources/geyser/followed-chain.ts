import { SlotStatus, type SubscribeUpdate } from '@sluice/geyser/messages';
import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { decodeClock } from '@sluice/protocol/sysvar/clock';
import type { Address, Commitment } from '@solana/kit';
import { isCodedError } from '../../../errors/sluice-error.ts';
import type { ChainAccount } from '../../accounts/account-page.ts';
import { isPositionKind, POSITION_KINDS } from '../../positions/position-kinds.ts';
import type { AccountSink, DeliveredMoment } from '../../view/account-source.ts';
import { isKind, KINDS } from '../../view/kinds.ts';
import type { View } from '../../view/view.ts';
import { AccountCheck, accountOf } from './account-check.ts';
import { type AppliedSlot, SlotAssembly } from './slot-assembly.ts';
import { StreamFault } from './stream-fault.ts';
import type { StreamLinks } from './stream-links.ts';
import { AccountKinds, type StreamedKind } from './streamed-kinds.ts';
import { levelOf, NAMED_FILTER } from './subscription.ts';

export interface FollowedChainOptions {
  readonly sink: AccountSink;
  readonly kinds: readonly StreamedKind[];
  readonly links: StreamLinks;
  readonly commitment: Commitment;
  /** What is known of accounts. */
  readonly newest: () => View | undefined;
}

/** A chain that one or more connections deliver without a hole, from the first slot on. */
export class FollowedChain {
  links: StreamLinks;
  readonly #options: FollowedChainOptions;
  readonly #assembly = new SlotAssembly();
  readonly #check: AccountCheck;
  readonly #kinds: AccountKinds;
  /** The clock, and the slot in which it was written. */
  #clock: DeliveredMoment | null = null;
  #delivered: bigint | null = null;
  readonly #waiting = new Set<() => void>();
  /** Slots of the latest changes while somebody needs them; null otherwise. */
  #changedAt: Map<Address, bigint> | null = null;

  constructor(options: FollowedChainOptions) {
    this.#options = options;
    this.links = options.links;
    this.#check = new AccountCheck(options.kinds);
    this.#kinds = new AccountKinds(options.kinds);
  }

  /** The newest slot that was delivered with its clock; null before the first. */
  get delivered(): bigint | null {
    return this.#delivered;
  }

  /** The slot from which a server has to replay; null before the first. */
  get resumesAt(): bigint | null {
    return this.#assembly.tip;
  }

  reconnected(): void {
    this.#assembly.reconnected();
  }

  /**
   * Takes an update. Returns a slot that the server calls confirmed, to be confirmed here after a check.
   *
   * @throws StreamFault
   */
  receive({ account, blockMeta, slot, filters }: SubscribeUpdate): bigint | null {
    if (account !== null) {
      this.#receiveAccount(
        accountOf(account.account, account.slot),
        filters,
        account.account?.writeVersion ?? 0n,
      );
    } else if (blockMeta !== null) {
      this.#assembly.addBlock(blockMeta);
    } else if (slot !== null) {
      if (slot.status === SlotStatus.DEAD) this.#assembly.drop(slot.slot);
      else if (isReached(slot.status, levelOf(this.#options.commitment))) return slot.slot;
      return null;
    }
    this.#advance();
    return null;
  }

  /** @throws StreamFault */
  confirm(slot: bigint): void {
    this.#assembly.confirm(slot);
    this.#advance();
  }

  /** Resolves when the slot has been delivered, or the signal is aborted. */
  async reached(slot: bigint, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (this.#delivered === null || this.#delivered < slot))
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        this.#waiting.add(done);
        signal.addEventListener('abort', done);
      });
  }

  /** Records the slots of changes from now on. */
  recordChanges(): ReadonlyMap<Address, bigint> {
    this.#changedAt ??= new Map();
    return this.#changedAt;
  }

  stopRecording(): void {
    this.#changedAt = null;
  }

  #receiveAccount(account: ChainAccount, filters: readonly string[], writeVersion: bigint): void {
    const view = this.#options.newest();
    this.#check.examine(account, filters, view);
    const named = this.links.kinds.get(account.address);
    if (named !== undefined && filters.includes(NAMED_FILTER) && account.lamports > 0n)
      this.#check.examineNamed(account, named, view);
    this.#assembly.addChange({ account, writeVersion });
  }

  /** Delivers what is complete, without a pause, so that Views are never made of a part of a slot. */
  #advance(): void {
    const applied = this.#assembly.take();
    for (const slot of applied) this.#deliver(slot);
    const slot = applied.at(-1)?.slot;
    // A slot whose clock is late is delivered with the next one.
    if (slot === undefined || this.#clock?.slot !== slot) return;
    this.#delivered = slot;
    this.#options.sink.slotDelivered(this.#clock);
    for (const wake of [...this.#waiting]) wake();
  }

  #deliver({ changes }: AppliedSlot): void {
    const { sink } = this.#options;
    for (const account of changes) {
      const { address, slot } = account;
      this.#changedAt?.set(address, slot);
      if (address === CLOCK_SYSVAR) this.#tick(account);
      else if (account.lamports === 0n) {
        // Owner and data of a closed account may be gone, so its kind cannot be told.
        for (const kind of KINDS) sink.announce(kind, account);
        for (const kind of POSITION_KINDS) sink.positionChanged({ kind, address, account: null, slot });
      } else
        for (const kind of this.#kinds.of(account, this.links)) {
          if (isKind(kind)) sink.announce(kind, account);
          else if (isPositionKind(kind)) sink.positionChanged({ kind, address, account, slot });
        }
    }
  }

  #tick(account: ChainAccount): void {
    if (this.#clock !== null && this.#clock.slot >= account.slot) return;
    try {
      const { slot, unixTimestamp } = decodeClock(account);
      if (slot !== account.slot) throw new StreamFault('WRONG_ACCOUNT');
      this.#clock = { slot, unixTimestamp };
    } catch (error) {
      throw isCodedError(error) ? new StreamFault('WRONG_ACCOUNT', { cause: error }) : error;
    }
  }
}

/** Slots are confirmed before they are finalized, and of the levels above only these two are on the chain. */
function isReached(status: number, level: number): boolean {
  return (status === SlotStatus.CONFIRMED || status === SlotStatus.FINALIZED) && status >= level;
}
