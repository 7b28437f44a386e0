import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import {
  PENDING_CONNECTION_LIMITS,
  type PendingConnectionLimits,
  PendingConnections,
} from './pending-connections.ts';

/** Runs messages of the wire protocol and returns the server's reply. */
export type Backend = (messages: Uint8Array) => Promise<Buffer>;

const PROTOCOL_3 = 196_608;
/** SSLRequest and GSSENCRequest. A client may send each of them once before it starts. */
const ENCRYPTION_REQUESTS = [80_877_103, 80_877_104];
/** Limit of PostgreSQL on what the server buffers for a client that has not authenticated. */
const MAX_STARTUP_BYTES = 10_000;
/** Limit of PostgreSQL. */
const MAX_MESSAGE_BYTES = 2 ** 30;
/** Messages that the backend replies to at once: query, sync, flush, function call. Others are buffered until one of these. */
const ENDS_UNIT = 'QSHF';
/** Rows follow such a query before the backend replies, as `copyIn` sends them; they end with one of `ENDS_ROWS`. */
const TAKES_ROWS = /^\s*COPY\s.*\sFROM\s+STDIN\b/is;
const ENDS_ROWS = 'cf';
const IDLE = 'I';
const ROLLBACK = message('Q', Buffer.from('ROLLBACK\0'));

/** Hands the backend to one client at a time, first come, first served. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  async take(): Promise<() => void> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

/**
 * Serves PostgreSQL's wire protocol to any number of clients over a backend that has one session. A client holds the
 * backend from the first statement of a transaction to its end, so transactions run one after the other.
 */
export function serveWire(
  backend: Backend,
  password: string,
  limits: PendingConnectionLimits = PENDING_CONNECTION_LIMITS,
): Server {
  const turns = new Turns();
  const pending = new PendingConnections(limits);
  const expected = Buffer.from(password);
  return createServer({ noDelay: true }, (socket) => {
    pending.add(socket);
    const client = new WireClient(socket, backend, turns, {
      isPassword: (sent) => sent.length === expected.length && timingSafeEqual(sent, expected),
      onAdmitted: () => pending.delete(socket),
    });
    socket.on('data', (bytes) => client.receive(bytes));
    socket.on('close', () => client.leave());
    socket.on('error', () => socket.destroy());
  });
}

interface Authentication {
  isPassword(sent: Buffer): boolean;
  onAdmitted(): void;
}

class WireClient {
  readonly #socket: Socket;
  readonly #backend: Backend;
  readonly #turns: Turns;
  readonly #authentication: Authentication;
  /** Chunks of an incomplete message. One of megabytes arrives in many, which are concatenated once. */
  #received: Buffer[] = [];
  #receivedBytes = 0;
  /** Bytes that complete the next message. */
  #wanted = 0;
  #phase: 'startup' | 'password' | 'ready' = 'startup';
  #isRejected = false;
  /** Encryption requests that were declined. */
  readonly #declined = new Set<number>();
  #unit: Buffer[] = [];
  #takesRows = false;
  /** Releases the backend; null while this client does not hold it. */
  #release: (() => void) | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(socket: Socket, backend: Backend, turns: Turns, authentication: Authentication) {
    this.#socket = socket;
    this.#backend = backend;
    this.#turns = turns;
    this.#authentication = authentication;
  }

  receive(bytes: Buffer): void {
    if (this.#isRejected) return;
    this.#received.push(bytes);
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes < this.#wanted) return;
    let rest = this.#received.length === 1 ? bytes : Buffer.concat(this.#received);
    while (!this.#isRejected) {
      // The first message has no type byte before its length.
      const lead = this.#phase === 'startup' ? 0 : 1;
      const head = lead + 4;
      this.#wanted = rest.length < head ? head : lead + rest.readUInt32BE(lead);
      if (rest.length >= head && !this.#isPlausible(this.#wanted - lead)) return void this.#reject();
      if (rest.length < this.#wanted) break;
      const whole = rest.subarray(0, this.#wanted);
      rest = rest.subarray(this.#wanted);
      if (this.#phase === 'startup') this.#greet(whole.readUInt32BE(4));
      else if (this.#phase === 'password') this.#admit(whole);
      else this.#take(whole);
    }
    this.#received = [rest];
    this.#receivedBytes = rest.length;
  }

  /** Whether a message may have this length. The length counts itself; that of a startup message, its code as well. */
  #isPlausible(length: number): boolean {
    if (this.#phase === 'ready') return length >= 4 && length <= MAX_MESSAGE_BYTES;
    return length >= (this.#phase === 'startup' ? 8 : 4) && length <= MAX_STARTUP_BYTES;
  }

  /** Closes the connection and reads nothing more, not even what the client has sent already. */
  #reject(refusal: Buffer = Buffer.alloc(0)): void {
    this.#isRejected = true;
    this.#received = [];
    this.#socket.end(refusal, () => this.#socket.destroy());
  }

  /** Rolls back a transaction that the client left open. */
  leave(): void {
    this.#enqueue(async () => {
      if (this.#release === null) return;
      try {
        await this.#backend(ROLLBACK);
      } finally {
        this.#releaseBackend();
      }
    });
  }

  #greet(code: number): void {
    if (ENCRYPTION_REQUESTS.includes(code) && !this.#declined.has(code)) {
      this.#declined.add(code);
      this.#socket.write('N');
    } else if (code === PROTOCOL_3) {
      this.#phase = 'password';
      this.#socket.write(message('R', uint32(3)));
    } else this.#reject(); // Also a cancel request: the backend runs on this thread and cannot be interrupted.
  }

  #admit(whole: Buffer): void {
    if (!this.#authentication.isPassword(whole.subarray(5, -1))) {
      const refusal = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0';
      return void this.#reject(message('E', Buffer.from(refusal)));
    }
    this.#phase = 'ready';
    this.#authentication.onAdmitted();
    const settings = ['client_encoding\0UTF8', 'DateStyle\0ISO, MDY', 'TimeZone\0UTC'];
    const statuses = settings.map((each) => message('S', Buffer.from(`${each}\0`)));
    const ready = message('Z', Buffer.from(IDLE));
    this.#socket.write(Buffer.concat([message('R', uint32(0)), ...statuses, ready]));
  }

  #take(whole: Buffer): void {
    const type = String.fromCharCode(whole[0] ?? 0);
    if (type === 'X') {
      this.#enqueue(async () => void this.#socket.end());
      return;
    }
    this.#unit.push(whole);
    if (type === 'Q' && TAKES_ROWS.test(whole.toString('latin1', 5))) this.#takesRows = true;
    if (!(this.#takesRows ? ENDS_ROWS : ENDS_UNIT).includes(type)) return;
    this.#takesRows = false;
    const unit = Buffer.concat(this.#unit);
    this.#unit = [];
    this.#enqueue(() => this.#run(unit, type));
  }

  async #run(unit: Buffer, type: string): Promise<void> {
    this.#release ??= await this.#turns.take();
    // A client that left while waiting: `leave` releases the backend.
    if (this.#socket.destroyed) return;
    const reply = await this.#backend(unit);
    if (reply.length === 0 && type !== 'H') throw new Error('the backend sent no reply');
    this.#socket.write(reply);
    // A reply ends with the state of the session, except after a flush: more of the same statement follows.
    if (type !== 'H' && reply.toString('latin1', reply.length - 1) === IDLE) this.#releaseBackend();
  }

  #releaseBackend(): void {
    this.#release?.();
    this.#release = null;
  }

  #enqueue(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch(() => {
      this.#socket.destroy();
    });
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A message with its type and its length, which counts itself. */
function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), uint32(body.length + 4), body]);
}
