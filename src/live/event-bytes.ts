const encoder = new TextEncoder();

/** First bytes of a stream: the reconnection delay of browsers in milliseconds. */
export const PREAMBLE = encoder.encode('retry: 2000\n\n');
/** An empty comment, so that proxies do not close an idle connection. */
export const KEEP_ALIVE = encoder.encode(':\n\n');
/** Ends an operation for good. Clients reconnect after a stream that ends without it. */
export const COMPLETE = encoder.encode('event: complete\ndata:\n\n');

/**
 * One event in the format that both `graphql-sse` and `EventSource` read. JSON has no line breaks, so it fits one line.
 *
 * @param id id of the View, null without one; browsers send the last id when they reconnect
 */
export function nextEvent(json: string, id: string | null): Uint8Array {
  return encoder.encode(`${id === null ? '' : `id: ${id}\n`}event: next\ndata: ${json}\n\n`);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}
