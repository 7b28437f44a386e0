import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'sluice-signature';
export const DELIVERY_HEADER = 'sluice-delivery';

const PREFIX = 'whsec_';

/**
 * The secret that signs the messages of an alert. It is derived from the operator's, so the database has none: whoever reads
 * it cannot forge a message.
 */
export function signingSecret(master: string, alertId: string): string {
  return `${PREFIX}${createHmac('sha256', master).update(`alert ${alertId}`).digest('base64url')}`;
}

/** `t=<Unix seconds>,v1=<HMAC-SHA256 of "<t>.<body>" in hexadecimal>`. */
export function signatureOf(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
