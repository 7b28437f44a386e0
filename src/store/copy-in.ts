import type { Client, Connection, Submittable } from 'pg';

/** A message header: one type byte and a four-byte length that includes itself. */
const HEAD_BYTES = 5;

/**
 * Sends rows in PostgreSQL's binary format to a `COPY ... FROM STDIN`. The rows follow the statement without
 * waiting for the server's CopyInResponse; a server that rejects the statement discards them.
 */
export function copyIn(client: Client, statement: string, rows: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, rows, resolve, reject));
  });
}

/** Adapts a COPY to the driver's `Submittable` protocol. */
class CopyIn implements Submittable {
  readonly handleError: (error: Error) => void;
  readonly handleReadyForQuery: () => void;
  readonly #statement: string;
  readonly #rows: Uint8Array;

  constructor(statement: string, rows: Uint8Array, done: () => void, failed: (error: Error) => void) {
    this.#statement = statement;
    this.#rows = rows;
    this.handleReadyForQuery = done;
    this.handleError = failed;
  }

  submit(connection: Connection): void {
    connection.query(this.#statement);
    connection.stream.write(head('d', this.#rows.length));
    connection.stream.write(this.#rows);
    connection.stream.write(head('c', 0));
  }

  /** Nothing to do: `submit` has already sent the rows. */
  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}
}

function head(type: 'd' | 'c', bodyBytes: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES, type);
  bytes.writeUInt32BE(bodyBytes + HEAD_BYTES - 1, 1);
  return bytes;
}
