import net from 'node:net';
import tls from 'node:tls';

export interface Place {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** A few bytes back and forth over a socket. What fails is told by a code of the system, never with an address. */
export class Conversation {
  #socket: net.Socket;
  #received: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #ended: Error | null = null;
  #wake: () => void = () => undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    this.#listen();
  }

  static async open({ host, port, timeoutMs }: Place): Promise<Conversation> {
    const socket = net.connect({ host, port });
    socket.setTimeout(timeoutMs, () => socket.destroy(failure('ETIMEDOUT')));
    const conversation = new Conversation(socket);
    await conversation.#until(() => socket.readyState === 'open');
    return conversation;
  }

  /** Goes on encrypted. Without `verify` the certificate is not looked at. */
  async encrypt(host: string, verify: boolean): Promise<void> {
    this.#socket.removeAllListeners('data');
    const options = { socket: this.#socket, rejectUnauthorized: verify };
    const secure = tls.connect(net.isIP(host) === 0 ? { ...options, servername: host } : options);
    this.#socket = secure;
    let ready = false;
    secure.once('secureConnect', () => {
      ready = true;
      this.#wake();
    });
    this.#listen();
    await this.#until(() => ready);
  }

  send(bytes: Uint8Array | string): void {
    this.#socket.write(bytes);
  }

  /** Waits for exactly so many bytes. */
  async bytes(count: number): Promise<Buffer> {
    await this.#until(() => this.#received.length >= count);
    const taken = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return taken;
  }

  /** Waits for a line; its end is left out. */
  async line(): Promise<string> {
    await this.#until(() => this.#received.includes('\r\n'));
    const end = this.#received.indexOf('\r\n');
    return (await this.bytes(end + 2)).subarray(0, end).toString('utf8');
  }

  close(): void {
    this.#socket.destroy();
  }

  #listen(): void {
    this.#socket.on('connect', () => this.#wake());
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(failure('closed')));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#wake();
  }

  async #until(ready: () => boolean): Promise<void> {
    while (!ready()) {
      if (this.#ended !== null) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

/** Why a conversation failed: `ECONNREFUSED`, `ENOTFOUND`, `ETIMEDOUT`. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Za-z0-9_]+$/.test(code) ? code : 'no connection';
}
