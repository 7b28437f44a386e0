import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/** The parts of a message that most receivers need; docs/alerts.md describes all. */
export interface AlertMessage {
  readonly id: string;
  readonly alert: string;
  readonly sequence: number;
  readonly event: 'FIRED' | 'CLEARED' | 'TEST';
  readonly value: string | null;
}

const TOLERANCE_SECONDS = 300;

/** Whether a body was signed with the secret within the last five minutes. */
export function isGenuine(secret: string, signature: string, body: string, now = new Date()): boolean {
  const [, seconds = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (Math.abs(now.getTime() / 1_000 - Number(seconds)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
  return given !== '' && timingSafeEqual(expected, Buffer.from(given, 'hex'));
}

/** A receiver: verifies each message, and handles each once. A message may arrive again until it was answered with 2xx. */
export function createReceiver(secret: string, handle: (message: AlertMessage) => Promise<void>): Server {
  // In a real receiver, a table with the ids of the last days.
  const seen = new Set<string>();
  return createServer(async (request, response) => {
    const body = await text(request);
    const signature = request.headers['sluice-signature'];
    if (typeof signature !== 'string' || !isGenuine(secret, signature, body)) {
      response.writeHead(401).end();
      return;
    }
    const message = JSON.parse(body) as AlertMessage;
    if (!seen.has(message.id)) await handle(message);
    seen.add(message.id);
    response.writeHead(204).end();
  });
}
