import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lifetime of a token. Open streams outlive it. */
const STREAM_TOKEN_SECONDS = 60;

export interface StreamToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Tokens that identify a client in a URL, because a browser's EventSource cannot send headers. A token holds the client id
 * and its expiry, and is signed together with the origin that it is for. Nothing is stored, so every gateway with the same
 * secret accepts it.
 */
export class StreamTokens {
  readonly #secret: string | Buffer;
  readonly #now: () => number;

  /** @param secret empty: a random secret, valid in this process only */
  constructor(secret: string, now: () => number = Date.now) {
    this.#secret = secret === '' ? randomBytes(32) : secret;
    this.#now = now;
  }

  /** @param origin the only origin that can use the token; null: only callers without one can */
  issue(clientId: string, origin: string | null): StreamToken {
    const expires = Math.floor(this.#now() / 1000) + STREAM_TOKEN_SECONDS;
    const body = `${expires}.${Buffer.from(clientId).toString('base64url')}`;
    return { token: `${body}.${this.#sign(body, origin)}`, expiresAt: new Date(expires * 1000) };
  }

  /**
   * The client id; null for a token that is forged, expired or for another origin.
   *
   * @param origins the origins that the request may come from; null stands for none
   */
  verify(token: string, origins: readonly (string | null)[]): string | null {
    const [, body, expires, client, signature] = TOKEN.exec(token) ?? [];
    if (body === undefined || client === undefined || signature === undefined) return null;
    const given = Buffer.from(signature);
    const isSigned = origins.some((origin) => {
      const expected = Buffer.from(this.#sign(body, origin));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isSigned) return null;
    if (Number(expires) * 1000 <= this.#now()) return null;
    return Buffer.from(client, 'base64url').toString();
  }

  #sign(body: string, origin: string | null): string {
    const signed = `sluice stream ${body}\n${origin ?? ''}`;
    return createHmac('sha256', this.#secret).update(signed).digest('base64url');
  }
}

const TOKEN = /^((\d{1,12})\.([\w-]{0,400}))\.([\w-]{1,100})$/;
