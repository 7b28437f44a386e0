import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { PreflightFailure, TransactionRelay } from '../../chain/relay/transaction-relay.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { deadlineSignal } from '../../node/deadline.ts';
import type { Pacer } from '../../node/pacer.ts';
import { pauseFor } from '../../node/pause-for.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';
import { programFailure } from './program-failure.ts';
import { isSettled, type LandedTransactions, pending, type SentTransaction } from './sent-transaction.ts';
import type { SignedTransaction } from './signed-transaction.ts';

/** State of the transaction that a caller waits for. */
export type SendWait = 'NONE' | 'PROCESSED' | 'CONFIRMED';

export interface SendingOptions {
  readonly relay: TransactionRelay;
  readonly landed: LandedTransactions;
  readonly programs: ProgramIds;
  /** Null when the caller does not know it. */
  readonly lastValidBlockHeight: bigint | null;
  /** The caller that sent it first. */
  readonly caller: string;
  /** Paces the calls of all transactions that are resent. */
  readonly pacer: Pick<Pacer, 'turn'>;
}

/** Lanes of the pacer: checks of blockhashes do not wait for resends. */
export const SENDING_LANES = ['resend', 'check'] as const;

const POLL_MS = 400;
const RESEND_MS = 2_000;
/** Longer than 150 slow blocks: a transaction with a recent blockhash has landed or expired by then. */
const GIVE_UP_MS = 180_000;
/** A durable nonce does not expire. */
const NONCE_GIVE_UP_MS = 120_000;

/** One transaction on its way: sent, resent and watched until it has landed or cannot land any more. */
export class Sending {
  readonly #transaction: SignedTransaction;
  readonly #options: SendingOptions;
  readonly #waiting = new Set<() => void>();
  #state: SentTransaction;
  /** Whether an endpoint has taken it. */
  #isSent = false;
  readonly #over = new AbortController();
  /** Whether it waits for its turn to be checked and resent. */
  #isRenewing = false;
  #isExpired = false;
  #sentAtMs = 0;
  #rpcCalls = 0;
  /** Why it could not be sent at all. */
  #fault: unknown = null;

  constructor(transaction: SignedTransaction, options: SendingOptions) {
    this.#transaction = transaction;
    this.#options = options;
    this.#state = pending(transaction.signature);
  }

  get state(): SentTransaction {
    return this.#state;
  }

  /** RPC calls so far. */
  get rpcCalls(): number {
    return this.#rpcCalls;
  }

  /** Stops resending it, although it may still land. */
  stop(): void {
    this.#over.abort();
    this.#wake();
  }

  /** Never rejects: those who wait get the error. */
  async run(): Promise<void> {
    const { relay } = this.#options;
    const untilMs = Date.now() + (this.#transaction.nonce === null ? GIVE_UP_MS : NONCE_GIVE_UP_MS);
    try {
      if (!(await this.#readStatus())) await this.#sendFirst();
      while (!isSettled(this.#state) && this.#fault === null && Date.now() < untilMs) {
        await pauseFor(POLL_MS, relay.signal);
        if (relay.signal.aborted || this.#isOver) break;
        await this.#watch();
      }
    } catch (error) {
      this.#fault = error;
    } finally {
      this.stop();
    }
  }

  /**
   * Waits as far as the caller wants, and for `waitMs` at most: then the transaction is still pending.
   * @throws SluiceError when no endpoint takes it, or the caller is gone
   */
  async reached(wait: SendWait, waitMs: number, signal: AbortSignal): Promise<SentTransaction> {
    using deadline = deadlineSignal(waitMs, 'Sending the transaction', signal);
    try {
      while (!this.#hasReached(wait)) {
        const changed = new Promise<void>((resolve) => this.#waiting.add(resolve));
        await unlessAborted(changed, deadline.signal);
      }
    } catch (error) {
      if (signal.aborted || !this.#isSent) throw error;
    }
    if (this.#fault !== null) throw this.#fault;
    return this.#state;
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  #hasReached(wait: SendWait): boolean {
    if (this.#isOver || isSettled(this.#state)) return true;
    if (wait === 'NONE') return this.#isSent;
    return wait === 'PROCESSED' && this.#state.status === 'PROCESSED';
  }

  #set(state: SentTransaction): void {
    this.#state = state;
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Reads its status; true when a block has it. */
  async #readStatus(isArchived = false): Promise<boolean> {
    const { relay, landed } = this.#options;
    const { signature, programs } = this.#transaction;
    this.#rpcCalls += 1;
    const { statuses, signal } = relay;
    const status = await (isArchived ? statuses.search(signature, signal) : statuses.read(signature, signal));
    if (status === null) {
      // A block that had it was dropped.
      if (this.#state.status === 'PROCESSED') this.#set(pending(signature));
      return false;
    }
    this.#isSent = true;
    this.#set(await landed.of(signature, status, signal, programs));
    return true;
  }

  async #sendFirst(): Promise<void> {
    const refused = await this.#send(true);
    if (refused === null) return;
    if (refused.error !== 'BlockhashNotFound') return this.#end('REJECTED', refused);
    // One that landed long ago is refused in the same way.
    if (await this.#readStatus(true)) return;
    if (this.#transaction.nonce !== null) return this.#end('REJECTED', refused);
    // The endpoint may be behind the one that gave the blockhash.
    if (await this.#becomesValid()) await this.#send(false);
    else this.#end('EXPIRED', refused);
  }

  async #send(preflight: boolean): Promise<PreflightFailure | null> {
    this.#rpcCalls += 1;
    this.#sentAtMs = Date.now();
    const refused = await this.#options.relay.send(this.#transaction.base64, preflight);
    if (refused === null && !this.#isSent) {
      this.#isSent = true;
      this.#wake();
    }
    return refused;
  }

  /** Follows a transaction that has not landed, until it has expired. */
  async #watch(): Promise<void> {
    try {
      if (await this.#readStatus()) return;
      if (this.#isExpired) await this.#conclude();
      else if (!this.#isRenewing && Date.now() - this.#sentAtMs >= RESEND_MS) void this.#renew();
    } catch (error) {
      // The transaction has been sent, whatever one call says: the next one may succeed.
      if (!isCodedError(error)) throw error;
    }
  }

  /** Resends it unless it has expired, when it is its turn. Its status is followed meanwhile. Never rejects. */
  async #renew(): Promise<void> {
    const { relay, pacer, caller } = this.#options;
    this.#isRenewing = true;
    try {
      this.#isExpired = await this.#hasExpired();
      if (this.#isExpired) return;
      await pacer.turn({ lane: 'resend', caller }, this.#over.signal);
      await this.#send(false);
    } catch (error) {
      if (!this.#isOver && !relay.signal.aborted && !isCodedError(error)) this.#fault = error;
    } finally {
      this.#isRenewing = false;
    }
  }

  async #hasExpired(): Promise<boolean> {
    const { relay, lastValidBlockHeight } = this.#options;
    if (this.#transaction.nonce !== null) return false;
    if (lastValidBlockHeight !== null) {
      this.#rpcCalls += 1;
      if ((await relay.blockhashes.height()) <= lastValidBlockHeight) return false;
    }
    // The caller's height is not verified. A transaction that is declared expired too early may be paid twice.
    return !(await this.#isBlockhashValid());
  }

  /** The endpoint that is asked for the status may be behind the one that says that the blockhash has expired. */
  async #conclude(): Promise<void> {
    await pauseFor(RESEND_MS, this.#options.relay.signal);
    if (await this.#readStatus(true)) return;
    this.#end('EXPIRED', { error: 'BlockhashNotFound', logs: [] });
  }

  async #becomesValid(): Promise<boolean> {
    if (await this.#isBlockhashValid()) return true;
    await pauseFor(RESEND_MS, this.#options.relay.signal);
    return await this.#isBlockhashValid();
  }

  async #isBlockhashValid(): Promise<boolean> {
    const { relay, pacer, caller } = this.#options;
    this.#rpcCalls += 1;
    return await relay.blockhashes.isValid(this.#transaction.blockhash, () =>
      pacer.turn({ lane: 'check', caller }, relay.signal),
    );
  }

  #end(status: 'REJECTED' | 'EXPIRED', failure: PreflightFailure): void {
    const { signature, programs } = this.#transaction;
    const error = programFailure(this.#options.programs, failure, programs);
    this.#set({ signature, status, slot: null, error, logs: failure.logs });
  }
}
