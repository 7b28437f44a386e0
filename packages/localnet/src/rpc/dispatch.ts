import type { Call } from './call.ts';
import { errorResponse, parseJson, parseRequest, type RpcRequest, resultResponse } from './envelope.ts';
import type { Fault, FaultInjector } from './faults.ts';
import type { Json } from './json.ts';
import { methodOf } from './methods.ts';
import type { RequestLog } from './request-log.ts';
import { invalidRequest, methodNotFound, RpcError } from './rpc-error.ts';

export interface Answer {
  /** Null when there is nothing to return: every request was a notification. */
  readonly body: Json | null;
  /** Fault to apply to the answer. */
  readonly fault: Fault;
}

/** The parts of a call's context that do not depend on the request. */
type Served = Omit<Call, 'slot' | 'blockHeight'>;

/** Answers the body of an HTTP request, single or batch. */
export class Dispatcher {
  readonly #served: Served;
  readonly #faults: FaultInjector;
  readonly #log: RequestLog;

  constructor(served: Served, faults: FaultInjector, log: RequestLog) {
    this.#served = served;
    this.#faults = faults;
    this.#log = log;
  }

  answer(text: string): Answer {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      return { body: errorResponse(null, error), fault: {} };
    }
    if (!Array.isArray(value)) return this.#one(value);
    if (value.length === 0) return { body: errorResponse(null, invalidRequest()), fault: {} };
    const answers = value.map((item) => this.#one(item));
    const bodies = answers.map(({ body }) => body).filter((body) => body !== null);
    return {
      body: bodies.length === 0 ? null : bodies,
      fault: Object.assign({}, ...answers.map(({ fault }) => fault)),
    };
  }

  #one(value: unknown): Answer {
    const request = parseRequest(value);
    if ('error' in request) return { body: errorResponse(request.id, request.error), fault: {} };
    this.#log.record(request.method, request.params);
    const fault = this.#faults.take(request.method, request.params);
    if (request.id === undefined) return { body: null, fault };
    try {
      return { body: resultResponse(request.id, this.#call(request, fault)), fault };
    } catch (error) {
      return { body: errorResponse(request.id, error), fault };
    }
  }

  #call({ method, params }: RpcRequest, fault: Fault): Json {
    if (fault.rpcError !== undefined) throw new RpcError(fault.rpcError.code, fault.rpcError.message);
    if (fault.nullResult === true) return null;
    const run = methodOf(method);
    if (run === undefined) throw methodNotFound();
    const offset = BigInt(fault.slotOffset ?? 0);
    const { slot, blockHeight } = this.#served.chain;
    return run({ ...this.#served, slot: slot + offset, blockHeight: blockHeight + offset }, params);
  }
}
