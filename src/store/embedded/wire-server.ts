import { createServer, type Server, type Socket } from 'node:net';

/** Runs messages of the wire protocol and returns what the server says to them. */
export type Backend = (messages: Uint8Array) => Promise<Buffer>;

const PROTOCOL_3 = 196_608;
/** A client asks whether encryption (TLS, GSS) is on offer. */
const ENCRYPTION_REQUESTS = [80_877_103, 80_877_104];
/** A message that the backend answers at once: query, sync, flush, function call. Others wait for one of these. */
const ENDS_UNIT = 'QSHF';
/** Rows follow such a query before anything is answered, as `copyIn` sends them; they end with one of `ENDS_ROWS`. */
const TAKES_ROWS = /^\s*COPY\s.*\sFROM\s+STDIN\b/is;
const ENDS_ROWS = 'cf';
const IDLE = 'I';
const ROLLBACK = message('Q', Buffer.from('ROLLBACK\0'));

/** Hands the one backend to one client after the other, in the order of asking. */
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
 * PostgreSQL's wire protocol for any number of clients over a backend that has one session. A client keeps the backend
 * from the first statement of a transaction to its end, so transactions are serial and never see each other.
 */
export function serveWire(backend: Backend, password: string): Server {
  const turns = new Turns();
  return createServer({ noDelay: true }, (socket) => {
    const client = new WireClient(socket, backend, turns, password);
    socket.on('data', (bytes) => client.receive(bytes));
    socket.on('close', () => client.leave());
    socket.on('error', () => socket.destroy());
  });
}

class WireClient {
  readonly #socket: Socket;
  readonly #backend: Backend;
  readonly #turns: Turns;
  readonly #password: string;
  /** Not yet taken: a message of megabytes comes in many pieces, which are put together once. */
  #received: Buffer[] = [];
  #receivedBytes = 0;
  /** How many bytes must be there before looking again is worth it. */
  #wanted = 0;
  #phase: 'startup' | 'password' | 'ready' = 'startup';
  #unit: Buffer[] = [];
  #takesRows = false;
  /** Gives the backend back; null while this client does not have it. */
  #release: (() => void) | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(socket: Socket, backend: Backend, turns: Turns, password: string) {
    this.#socket = socket;
    this.#backend = backend;
    this.#turns = turns;
    this.#password = password;
  }

  receive(bytes: Buffer): void {
    this.#received.push(bytes);
    this.#receivedBytes += bytes.length;
    if (this.#receivedBytes < this.#wanted) return;
    let rest = this.#received.length === 1 ? bytes : Buffer.concat(this.#received);
    // The first message has no type letter before its length.
    for (;;) {
      const lead = this.#phase === 'startup' ? 0 : 1;
      const head = lead + 4;
      this.#wanted = rest.length < head ? head : lead + rest.readUInt32BE(lead);
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

  /** A transaction that its client left open is undone. */
  leave(): void {
    this.#enqueue(async () => {
      if (this.#release === null) return;
      try {
        await this.#backend(ROLLBACK);
      } finally {
        this.#giveBack();
      }
    });
  }

  #greet(code: number): void {
    if (ENCRYPTION_REQUESTS.includes(code)) this.#socket.write('N');
    else if (code === PROTOCOL_3) {
      this.#phase = 'password';
      this.#socket.write(message('R', uint32(3)));
    } else this.#socket.end(); // A cancel request, which a backend of one thread cannot serve.
  }

  #admit(whole: Buffer): void {
    if (whole.toString('utf8', 5, whole.length - 1) !== this.#password) {
      const refusal = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0';
      this.#socket.end(message('E', Buffer.from(refusal)));
      return;
    }
    this.#phase = 'ready';
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
    // Who left while waiting gets nothing done; `leave` gives the backend back.
    if (this.#socket.destroyed) return;
    const said = await this.#backend(unit);
    if (said.length === 0 && type !== 'H') throw new Error('the backend said nothing');
    this.#socket.write(said);
    // An answer ends with the state of the session, but for a flush: more of the same statement follows.
    if (type !== 'H' && said.toString('latin1', said.length - 1) === IDLE) this.#giveBack();
  }

  #giveBack(): void {
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

/** The length counts itself. */
function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), uint32(body.length + 4), body]);
}
