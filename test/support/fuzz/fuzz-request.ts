import type { OddHeaders } from './odd-headers.ts';

/** A request as sent. */
export interface FuzzRequest {
  /** The intended oddity, for the report. */
  readonly kind: string;
  readonly method: string;
  /** Path and query as they are sent, not made tidy. */
  readonly target: string;
  readonly headers: OddHeaders;
  readonly body?: string | Buffer;
  /** The client disconnects after sending and expects no answer. */
  readonly hangsUp?: boolean;
}

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decompressed; of a stream, its first event. */
  readonly text: string;
}

/** A request and its answer in a form that can be read in a report. */
export function shown({ kind, method, target, headers, body }: FuzzRequest): string {
  const sent = body === undefined ? '' : ` body ${JSON.stringify(body.toString('latin1')).slice(0, 600)}`;
  return `${kind}: ${method} ${target.slice(0, 600)} ${JSON.stringify(headers).slice(0, 300)}${sent}`;
}
