const encoder = new TextEncoder();

/** First bytes of a stream: the reconnection delay of browsers in milliseconds. */
export const PREAMBLE = encoder.encode('retry: 2000\n\n');
/** An empty comment, so that proxies do not close an idle connection. */
export const KEEP_ALIVE = encoder.encode(':\n\n');
/** Ends an operation for good. Clients reconnect after a stream that ends without it. */
export const COMPLETE = encoder.encode('event: complete\ndata:\n\n');

/** The response of one event. */
export interface EventContent {
  /** JSON of the response without `extensions`. */
  readonly json: string;
  readonly extensions: object;
}

/** One event in the format that both `graphql-sse` and `EventSource` read. JSON has no line breaks, so it fits one line. */
export class StreamEvent {
  readonly bytes: Uint8Array;
  readonly #extensions: object;
  /** Length of the part before the extensions. */
  readonly #headBytes: number;

  /** @param id id of the View, null without one; browsers send the last id when they reconnect */
  constructor({ json, extensions }: EventContent, id: string | null) {
    const head = encoder.encode(`${id === null ? '' : `id: ${id}\n`}event: next\ndata: ${json.slice(0, -1)}`);
    this.#extensions = extensions;
    this.#headBytes = head.length;
    this.bytes = Buffer.concat([head, tail(extensions)]);
  }

  /** The same event with more extensions. */
  with(extensions: object): Uint8Array {
    const head = this.bytes.subarray(0, this.#headBytes);
    return Buffer.concat([head, tail({ ...this.#extensions, ...extensions })]);
  }
}

function tail(extensions: object): Uint8Array {
  const isEmpty = Object.keys(extensions).length === 0;
  return encoder.encode(`${isEmpty ? '' : `,"extensions":${JSON.stringify(extensions)}`}}\n\n`);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}
