/** An event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Turns the text of a stream, in chunks that may end anywhere, into events. */
export class ServerEventParser {
  readonly #decoder = new TextDecoder();
  #unread = '';

  /** The events that this chunk completes. */
  push(chunk: Uint8Array): ServerEvent[] {
    const blocks = (this.#unread + this.#decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    this.#unread = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

/** Null for a block of comments only, which keeps the connection alive. */
function eventOf(block: string): ServerEvent | null {
  const fields = block.split(/\r?\n/).map((line) => /^([^:]*)(?:: ?(.*))?$/.exec(line));
  const values = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const event = values('event').at(-1);
  return event === undefined ? null : { event, data: values('data').join('\n') };
}
