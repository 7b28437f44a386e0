/** An answer that is written while it is sent: each part when the one before it has been taken. */
export class TextStream {
  readonly parts: AsyncGenerator<string, void>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(parts: AsyncGenerator<string, void>, headers: Readonly<Record<string, string>>) {
    this.parts = parts;
    this.headers = headers;
  }

  /** All of it, for a short one. */
  async text(): Promise<string> {
    const parts: string[] = [];
    for await (const part of this.parts) parts.push(part);
    return parts.join('');
  }
}

/**
 * The body of a stream. Waits for the first part, so that a failure until then has a status. A later failure ends the
 * connection without the end of the body, by which the client knows that something is missing.
 *
 * @param stop aborted when the client is gone
 */
export async function streamedBody(
  { parts }: TextStream,
  stop: AbortController,
  onFailure: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let ready: IteratorResult<string, void> | null = await parts.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const part = ready ?? (await parts.next());
          ready = null;
          if (part.done) controller.close();
          else controller.enqueue(encoder.encode(part.value));
        } catch (error) {
          if (!stop.signal.aborted) onFailure(error);
          throw error;
        }
      },
      async cancel(reason) {
        stop.abort(reason);
        await parts.return().catch(() => undefined);
      },
    },
    // Nothing is written ahead of the socket.
    { highWaterMark: 0 },
  );
}
