import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type RelayRpc, TransactionRelay } from '../../../src/chain/relay/transaction-relay.ts';
import type { Session } from '../../../src/services/request/session.ts';
import { type SendOptions, SentTransactions } from '../../../src/services/sending/sent-transactions.ts';

type Method =
  | 'sendTransaction'
  | 'getSignatureStatuses'
  | 'isBlockhashValid'
  | 'getBlockHeight'
  | 'getTransaction';

/** An RPC that takes every transaction and never lands one, with the time of each call. */
export class EndlessRelay {
  readonly calls: { readonly method: Method; readonly params: readonly unknown[]; readonly atMs: number }[] =
    [];
  readonly relay: TransactionRelay;
  readonly sent: SentTransactions;
  isBlockhashValid = true;

  constructor(options: Partial<SendOptions> = {}) {
    const answer = (method: Method, value: (params: readonly unknown[]) => unknown) =>
      [
        method,
        (...params: readonly unknown[]) => ({
          send: async () => {
            this.calls.push({ method, params, atMs: Date.now() });
            return value(params);
          },
        }),
      ] as const;
    const rpc = Object.fromEntries([
      answer('sendTransaction', () => 'taken'),
      answer('getSignatureStatuses', ([signatures]) => ({
        value: (signatures as readonly string[]).map(() => null),
      })),
      answer('isBlockhashValid', () => ({ value: this.isBlockhashValid })),
      answer('getBlockHeight', () => 100n),
      answer('getTransaction', () => null),
    ]) as unknown as RelayRpc;
    this.relay = new TransactionRelay(rpc, 'confirmed');
    this.sent = new SentTransactions(this.relay, MAINNET_PROGRAMS, {
      enabled: true,
      waitMs: 5_000,
      share: 100,
      callsPerSecond: 25,
      ...options,
    });
  }

  /** Sends as a caller does that does not wait. */
  send(caller: string, transaction: string, lastValidBlockHeight: bigint | null = null) {
    const { signal } = new AbortController();
    const session = { caller, signal, noteRpcCalls: () => undefined } as unknown as Session;
    return this.sent.send(session, { transaction, lastValidBlockHeight, wait: 'NONE' });
  }

  /** Calls of a method, in order. */
  callsOf(...methods: readonly Method[]) {
    return this.calls.filter(({ method }) => methods.includes(method));
  }
}
