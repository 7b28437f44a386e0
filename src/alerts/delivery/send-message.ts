import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isCodedError } from '../../errors/sluice-error.ts';
import { type ReceiverRules, receiverUrl } from './receiver-url.ts';
import { checkedLookup, type Resolve } from './resolve-public.ts';

/** A message as it goes over the wire. */
export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions {
  readonly rules: ReceiverRules;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Posts a message. Resolves to null when the receiver accepted it (2xx), otherwise to the reason why not, which its owner may
 * see. Follows no redirects, and reads nothing of an answer but its status.
 */
export async function sendMessage(message: OutgoingMessage, options: SendOptions): Promise<string | null> {
  const { rules, resolve, timeoutMs, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    // Checked again, because the rules may have changed since the alert was registered.
    const url = receiverUrl(message.url, rules);
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const status = await new Promise<number>((answered, failed) => {
      const sent = request(url, {
        method: 'POST',
        headers: { ...message.headers, 'content-length': String(Buffer.byteLength(message.body)) },
        // A connection of its own, to the addresses that were checked.
        agent: false,
        lookup: checkedLookup(resolve, rules),
        signal: AbortSignal.any([signal, timeout]),
      });
      sent.on('response', (response) => {
        answered(response.statusCode ?? 0);
        response.destroy();
      });
      sent.on('error', failed);
      sent.end(message.body);
    });
    return refusalOf(status);
  } catch (error) {
    if (timeout.aborted) return `no answer within ${timeoutMs} ms`;
    return failureOf(error);
  }
}

function refusalOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `HTTP ${status}: redirects are not followed, update the URL of the alert`;
  return `HTTP ${status}`;
}

/** The code of the system, such as ECONNREFUSED, or our own; never a message, which may name hosts and addresses. */
function failureOf(error: unknown): string {
  if (isCodedError(error)) return error.message;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? `not sent (${code})` : 'not sent';
}
