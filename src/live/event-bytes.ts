const encoder = new TextEncoder();

/** What a stream begins with: how long a browser waits before it connects again, in milliseconds. */
export const PREAMBLE = encoder.encode('retry: 2000\n\n');
/** A comment that says nothing; it keeps proxies from taking the connection for dead. */
export const KEEP_ALIVE = encoder.encode(':\n\n');
/** The end of an operation that is not to be asked again. A stream that merely ends is to be connected again. */
export const COMPLETE = encoder.encode('event: complete\ndata:\n\n');

/**
 * One event in the format that both `graphql-sse` and `EventSource` read. JSON has no line breaks, so one line holds it.
 *
 * @param id the View that it was told in, null without one; a browser sends the last one back when it connects again.
 */
export function nextEvent(json: string, id: number | null): Uint8Array {
  return encoder.encode(`${id === null ? '' : `id: ${id}\n`}event: next\ndata: ${json}\n\n`);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}
