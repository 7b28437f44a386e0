import type { IncomingMessage } from 'node:http';
import { SluiceError } from '../errors/sluice-error.ts';
import { headersOf } from './exchange.ts';
import type { RequestPipeline } from './pipeline.ts';
import { type RefusalShape, refusalAnswer } from './refusals.ts';
import type { ResponseHeaders } from './response-headers.ts';
import type { Listener } from './server.ts';

export interface AmbiguousHostOptions {
  readonly pipeline: RequestPipeline;
  readonly responseHeaders: ResponseHeaders;
  readonly refusalShape: RefusalShape;
}

/**
 * Refuses a request with several `Host` headers. Node uses the first one; a proxy that checked another one would have
 * checked nothing.
 */
export function refuseAmbiguousHost(options: AmbiguousHostOptions, next: Listener): Listener {
  const { pipeline, responseHeaders, refusalShape } = options;
  return (incoming, outgoing) => {
    if (!hasSeveralHosts(incoming)) return next(incoming, outgoing);
    const exchange = pipeline.receive(incoming);
    const error = new SluiceError('BAD_REQUEST', { reason: 'Send exactly one Host header.' });
    const answer = refusalAnswer(refusalShape(exchange.target), error, exchange.trace);
    const { status, body } = answer;
    const preferences = { method: exchange.method, headers: headersOf(incoming) };
    outgoing.writeHead(status, {
      ...responseHeaders.complete(preferences, answer.headers),
      ...pipeline.headers(exchange),
      connection: 'close',
    });
    outgoing.end(exchange.method === 'HEAD' ? null : body);
    pipeline.finish(exchange, status);
  };
}

/** Names and values alternate in `rawHeaders`, which has what `headers` drops. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
