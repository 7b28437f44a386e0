import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

export interface ScramAnswer {
  /** The client's last message. */
  readonly message: string;
  /** What a server that knows the password answers, in base64. */
  readonly serverSignature: string;
}

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/** Answers the challenge of SCRAM-SHA-256 (RFC 7677) without channel binding. Null when it is not well formed. */
export function answerScram(password: string, firstBare: string, challenge: string): ScramAnswer | null {
  const { r, s, i } = Object.fromEntries(challenge.split(',').map((part) => [part[0], part.slice(2)]));
  const rounds = Number(i);
  if (r === undefined || s === undefined || !(rounds > 0 && rounds <= 10_000_000)) return null;
  const salted = pbkdf2Sync(password.normalize('NFKC'), Buffer.from(s, 'base64'), rounds, 32, 'sha256');
  const lastBare = `c=biws,r=${r}`;
  const signed = `${firstBare},${challenge},${lastBare}`;
  const clientKey = hmac(salted, 'Client Key');
  const proof = hmac(createHash('sha256').update(clientKey).digest(), signed).map(
    (byte, at) => byte ^ (clientKey[at] ?? 0),
  );
  return {
    message: `${lastBare},p=${Buffer.from(proof).toString('base64')}`,
    serverSignature: hmac(hmac(salted, 'Server Key'), signed).toString('base64'),
  };
}
