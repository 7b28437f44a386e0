import type { RawData, WebSocket } from 'ws';
import { errorResponse, parseJson, parseRequest, type RpcRequest, resultResponse } from './envelope.ts';
import type { Fault, FaultInjector } from './faults.ts';
import { type Json, toText } from './json.ts';
import type { RequestLog } from './request-log.ts';
import { invalidParams, RpcError } from './rpc-error.ts';
import { type Notify, type Subscriptions, subscriptionNumber } from './subscriptions.ts';

/** A client with this much unread data is disconnected, to bound memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const UNSUBSCRIBE_METHODS: ReadonlySet<string> = new Set([
  'accountUnsubscribe',
  'logsUnsubscribe',
  'programUnsubscribe',
  'signatureUnsubscribe',
  'slotUnsubscribe',
]);

/** JSON-RPC over one WebSocket: subscriptions and their notifications. */
export class SocketSession {
  readonly #socket: WebSocket;
  readonly #subscriptions: Subscriptions;
  readonly #faults: FaultInjector;
  readonly #log: RequestLog;
  readonly #own = new Set<number>();

  constructor(socket: WebSocket, subscriptions: Subscriptions, faults: FaultInjector, log: RequestLog) {
    this.#socket = socket;
    this.#subscriptions = subscriptions;
    this.#faults = faults;
    this.#log = log;
    socket.on('message', (data) => this.#receive(data));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      for (const id of this.#own) subscriptions.cancel(id);
    });
  }

  #receive(data: RawData): void {
    const text = data.toString();
    this.#log.bytesReceived += text.length;
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      this.#send({}, errorResponse(null, error));
      return;
    }
    const request = parseRequest(value);
    if ('error' in request) {
      this.#send({}, errorResponse(request.id, request.error));
      return;
    }
    this.#log.record(request.method, request.params);
    // Clients send notifications as keep-alive; they get no response.
    if (request.id === undefined) return;
    const fault = this.#faults.take(request.method, request.params);
    try {
      this.#send(fault, resultResponse(request.id, this.#call(request, fault)));
    } catch (error) {
      this.#send(fault, errorResponse(request.id, error));
    }
  }

  #call({ method, params }: RpcRequest, fault: Fault): Json {
    if (fault.rpcError !== undefined) throw new RpcError(fault.rpcError.code, fault.rpcError.message);
    if (fault.nullResult === true) return null;
    if (UNSUBSCRIBE_METHODS.has(method)) {
      const id = subscriptionNumber(params);
      if (!this.#own.delete(id)) throw invalidParams('Invalid subscription id.');
      this.#subscriptions.cancel(id);
      return true;
    }
    const id = this.#subscriptions.subscribe(method, params, (subscription) => this.#notifier(subscription));
    this.#own.add(id);
    return id;
  }

  #notifier(subscription: number): Notify {
    return (method, slot, result) => {
      const fault = this.#faults.take(method, []);
      try {
        const made = result(slot + BigInt(fault.slotOffset ?? 0));
        this.#send(fault, { jsonrpc: '2.0', method, params: { result: made, subscription } });
      } catch (error) {
        // The account has outgrown the base58 limit; a node drops the notification too.
        if (!(error instanceof RpcError)) throw error;
      }
    };
  }

  #send(fault: Fault, message: Json): void {
    if (fault.hang === true) return;
    if (fault.reset === true) {
      this.#socket.terminate();
      return;
    }
    const text = fault.garbage === true ? 'not json' : toText(message);
    if (fault.delayMs === undefined) this.#write(text);
    else setTimeout(() => this.#write(text), fault.delayMs).unref();
  }

  #write(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) {
      this.#socket.terminate();
      return;
    }
    this.#log.bytesSent += text.length;
    this.#socket.send(text);
  }
}
