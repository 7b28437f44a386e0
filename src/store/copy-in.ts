import type { Client, Connection, Submittable } from 'pg';

/** Type and length of a message; the length counts itself. */
const HEAD_BYTES = 5;

/**
 * Sends rows in PostgreSQL's binary format to a `COPY ... FROM STDIN`. They follow their statement at once, without
 * waiting for the server to ask for them: one that has refused the statement passes over them.
 */
export function copyIn(client: Client, statement: string, rows: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, rows, resolve, reject));
  });
}

/** A statement in the terms of the driver, which tells it what the server says. */
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

  /** What the server asks for is on its way. */
  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}
}

function head(type: 'd' | 'c', bodyBytes: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES, type);
  bytes.writeUInt32BE(bodyBytes + HEAD_BYTES - 1, 1);
  return bytes;
}
