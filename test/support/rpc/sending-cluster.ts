import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { type Exchange, FaultyProxy } from './faulty-proxy.ts';

export interface ClusterStatus {
  readonly slot: number;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
  readonly err: unknown;
}

interface Call {
  readonly id: unknown;
  readonly params: readonly unknown[];
}

interface Preflight {
  readonly err: unknown;
  readonly logs: readonly string[];
}

/** A cluster that takes transactions as the test says, with one RPC endpoint or several. Everything else is the world's. */
export class SendingCluster {
  readonly localChain: TestChain;
  readonly endpoints: readonly FaultyProxy[];
  /** Every transaction that an endpoint was given. */
  readonly sent: { readonly base64: string; readonly skipPreflight: boolean }[] = [];
  /** The signatures of every call of getSignatureStatuses. */
  readonly statusCalls: (readonly string[])[] = [];
  /** By signature. */
  readonly statuses = new Map<string, ClusterStatus>();
  /** Known to nodes with an archive only. */
  readonly archive = new Map<string, ClusterStatus>();
  /** Logs of transactions by signature. */
  readonly logs = new Map<string, readonly string[]>();
  /** Why simulations before sending fail; null when they succeed. */
  preflight: Preflight | null = null;
  isBlockhashValid = true;
  blockHeight = 100;
  /** The status of a transaction that was taken for the n-th time; null loses it. */
  landing: (nth: number) => ClusterStatus | null = () => ({
    slot: 1_000,
    confirmationStatus: 'confirmed',
    err: null,
  });
  readonly #rpc: LocalnetRpc;
  readonly #signatureOf: (base64: string) => string;

  private constructor(
    localChain: TestChain,
    rpc: LocalnetRpc,
    endpoints: readonly FaultyProxy[],
    signatureOf: (base64: string) => string,
  ) {
    this.localChain = localChain;
    this.#rpc = rpc;
    this.endpoints = endpoints;
    this.#signatureOf = signatureOf;
    for (const endpoint of endpoints) endpoint.misbehave((exchange) => this.#serve(exchange));
  }

  static async start(count: number, signatureOf: (base64: string) => string): Promise<SendingCluster> {
    const localChain = new TestChain();
    const rpc = await serveChain(localChain);
    const endpoints = await Promise.all(Array.from({ length: count }, () => FaultyProxy.start(rpc.url)));
    return new SendingCluster(localChain, rpc, endpoints, signatureOf);
  }

  get urls(): string[] {
    return this.endpoints.map(({ url }) => url);
  }

  /** Each sending of a transaction in order: false with preflight, true without. */
  skippedPreflights(base64: string): boolean[] {
    return this.sent.filter((each) => each.base64 === base64).map(({ skipPreflight }) => skipPreflight);
  }

  /** Forgets everything but the world. */
  reset(): void {
    this.sent.length = 0;
    this.statusCalls.length = 0;
    for (const map of [this.statuses, this.archive, this.logs]) map.clear();
    this.preflight = null;
    this.isBlockhashValid = true;
    this.blockHeight = 100;
    this.landing = () => ({ slot: 1_000, confirmationStatus: 'confirmed', err: null });
  }

  async stop(): Promise<void> {
    for (const endpoint of this.endpoints) await endpoint.die();
    await this.#rpc.close();
  }

  #serve({ method, body, response, pass }: Exchange): void {
    const { id, params } = JSON.parse(body.toString()) as Call;
    const answer = (content: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...content }));
    };
    const inContext = (value: unknown) =>
      answer({ result: { context: { slot: Number(this.localChain.slot) }, value } });
    switch (method) {
      case 'sendTransaction':
        answer(this.#take(params));
        break;
      case 'getSignatureStatuses':
        inContext(this.#statusesOf(params));
        break;
      case 'isBlockhashValid':
        inContext(this.isBlockhashValid);
        break;
      case 'getBlockHeight':
        answer({ result: this.blockHeight });
        break;
      case 'getTransaction':
        answer({ result: this.#transaction(String(params[0])) });
        break;
      default:
        pass();
    }
  }

  #take([base64, config]: readonly unknown[]): object {
    const { skipPreflight } = config as { readonly skipPreflight: boolean };
    const signature = this.#signatureOf(String(base64));
    this.sent.push({ base64: String(base64), skipPreflight });
    if (this.preflight !== null && !skipPreflight) {
      const data = { ...this.preflight, accounts: null, unitsConsumed: 5_000 };
      return { error: { code: -32002, message: 'Transaction simulation failed', data } };
    }
    const status = this.landing(this.skippedPreflights(String(base64)).length);
    if (status !== null) this.statuses.set(signature, status);
    return { result: signature };
  }

  #statusesOf([signatures, config]: readonly unknown[]): unknown[] {
    const { searchTransactionHistory = false } = (config ?? {}) as { searchTransactionHistory?: boolean };
    const asked = signatures as readonly string[];
    this.statusCalls.push(asked);
    return asked.map((signature) => {
      const archived = searchTransactionHistory ? this.archive.get(signature) : undefined;
      const status = this.statuses.get(signature) ?? archived;
      if (status === undefined) return null;
      const result = status.err === null ? { Ok: null } : { Err: status.err };
      return {
        ...status,
        confirmations: status.confirmationStatus === 'finalized' ? null : 1,
        status: result,
      };
    });
  }

  #transaction(signature: string): object | null {
    const logMessages = this.logs.get(signature);
    if (logMessages === undefined) return null;
    const message = { accountKeys: [], instructions: [], header: {}, recentBlockhash: '' };
    return { slot: 1_000, blockTime: 0, meta: { logMessages }, transaction: { message, signatures: [] } };
  }
}
