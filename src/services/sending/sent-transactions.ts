import type { ProgramIds } from '@sluice/protocol/program-ids';
import { LRUCache } from 'lru-cache';
import type { LandedBytes } from '../../chain/relay/landed-transaction.ts';
import type { TransactionRelay } from '../../chain/relay/transaction-relay.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { Pacer } from '../../node/pacer.ts';
import type { Session } from '../request/session.ts';
import { SENDING_LANES, Sending, type SendWait } from './sending.ts';
import { type SendingEntry, SendingTable } from './sending-table.ts';
import { isFinal, LandedTransactions, pending, type SentTransaction } from './sent-transaction.ts';
import { type SignedTransaction, signedTransaction } from './signed-transaction.ts';

export interface SendRequest {
  /** Signed, in wire format, in base64. */
  readonly transaction: string;
  readonly lastValidBlockHeight?: bigint | null | undefined;
  readonly wait?: SendWait | null | undefined;
}

export interface SendOptions {
  /** Whether this deployment sends transactions. */
  readonly enabled: boolean;
  /** Longest wait of a request. */
  readonly waitMs: number;
  /** Most transactions of one caller, and of one fee payer, at a time. */
  readonly share: number;
  /** Most calls to resend transactions and to check their blockhashes, of all callers together. */
  readonly callsPerSecond: number;
}

/** Sending is off, the default of a deployment. */
export const NO_SENDING: SendOptions = { enabled: false, waitMs: 0, share: 1, callsPerSecond: 1 };

/** Transactions that this process resends and watches at once: four calls read the status of all. */
const MAX_SENDING = 1_000;
const MAX_ENDED = 1_000;

/** Relays signed transactions and follows them. The signature identifies a transaction: it is sent once, whoever asks. */
export class SentTransactions {
  readonly #relay: TransactionRelay;
  readonly #programs: ProgramIds;
  readonly #options: SendOptions;
  readonly #landed: LandedTransactions;
  readonly #pacer: Pacer;
  readonly #table: SendingTable;
  /** Those that ended without landing, which no endpoint remembers. */
  readonly #ended = new LRUCache<string, SentTransaction>({ max: MAX_ENDED });

  constructor(relay: TransactionRelay, programs: ProgramIds, options: SendOptions) {
    this.#relay = relay;
    this.#programs = programs;
    this.#options = options;
    this.#landed = new LandedTransactions(relay, programs);
    this.#pacer = new Pacer({ perSecond: options.callsPerSecond, lanes: SENDING_LANES });
    this.#table = new SendingTable({ total: MAX_SENDING, share: options.share });
  }

  /** Sends a transaction and waits for its outcome. The gateway goes on resending it after the answer. */
  async send(
    session: Session,
    { transaction, lastValidBlockHeight, wait }: SendRequest,
  ): Promise<SentTransaction> {
    if (!this.#options.enabled) throw new SluiceError('SENDING_DISABLED', {});
    const signed = signedTransaction(transaction);
    const known = this.#table.get(signed.signature);
    const earlierCalls = known?.rpcCalls ?? 0;
    const sending = known ?? this.#start(signed, session.caller, lastValidBlockHeight ?? null);
    try {
      return await sending.reached(wait ?? 'CONFIRMED', this.#options.waitMs, session.signal);
    } finally {
      session.noteRpcCalls(sending.rpcCalls - earlierCalls);
    }
  }

  /**
   * The present state of a transaction, whoever sent it. PENDING when nothing is known of it.
   *
   * @param isArchived whether to look for one that is long past
   */
  async find(signature: string, isArchived: boolean, session: Session): Promise<SentTransaction> {
    const { statuses } = this.#relay;
    const { signal } = session;
    session.noteRpcCalls(1);
    const recent = await statuses.read(signature, signal);
    const status = recent ?? (isArchived ? await statuses.search(signature, signal) : null);
    if (status !== null) return await this.#landed.of(signature, status, signal);
    return this.#table.get(signature)?.state ?? this.#ended.get(signature) ?? pending(signature);
  }

  /** A transaction that is in a confirmed block, whoever sent it; null when the node does not have it. */
  async landed(signature: string, session: Session): Promise<LandedBytes | null> {
    session.noteRpcCalls(1);
    return await this.#relay.landed(signature, session.signal);
  }

  #start(transaction: SignedTransaction, caller: string, lastValidBlockHeight: bigint | null): Sending {
    const { signature } = transaction;
    const sending = new Sending(transaction, {
      relay: this.#relay,
      landed: this.#landed,
      programs: this.#programs,
      pacer: this.#pacer,
      lastValidBlockHeight,
      caller,
    });
    const entry: SendingEntry = { transaction, sending, caller };
    this.#table.add(entry);
    this.#ended.delete(signature);
    void sending.run().then(() => {
      this.#table.remove(entry);
      const { state } = sending;
      if (isFinal(state) && state.slot === null) this.#ended.set(signature, state);
    });
    return sending;
  }
}
