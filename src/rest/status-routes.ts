import { Hono, type MiddlewareHandler } from 'hono';
import { cachedResult } from '../http/cached-result.ts';
import { asResponse, EncodedAnswer } from '../http/encoded-answer.ts';
import type { Platform, ProgramDeployment } from '../services/platform/platform.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface StatusRoutesOptions {
  readonly platform: Platform;
  readonly metrics: Metrics;
  readonly drift: () => object | null;
  /** Whether the data is that of a localnet. */
  readonly localnet: boolean;
  /** Time for which the text of the metrics is cached. */
  readonly metricsHoldMs: number;
}

/**
 * Passes requests that spell the path exactly as documented. Any other spelling, such as one with a trailing slash, would
 * get past a proxy that keeps the path internal.
 */
const exactPath: MiddlewareHandler = async (c, next) =>
  new URL(c.req.url).pathname === c.req.path ? await next() : c.notFound();

/** A deployed program in JSON, with slots as text. */
function programStatus({ deployedSlot, deployedAt, checkedSlot, ...rest }: ProgramDeployment) {
  return {
    ...rest,
    deployedSlot: deployedSlot?.toString() ?? null,
    deployedAt: deployedAt?.toISOString() ?? null,
    checkedSlot: checkedSlot?.toString() ?? null,
  };
}

/** Liveness, readiness and metrics. */
export function statusRoutes(options: StatusRoutesOptions): Hono {
  const { platform, metrics, drift, localnet, metricsHoldMs } = options;
  const routes = new Hono();
  routes.get('/health', (c) => c.json({ status: 'alive' }));
  routes.get('/ready', exactPath, (c) => {
    const reasons = platform.troubles();
    // A lost stream, late or unavailable history, drift, newer programs and an old View are reported; none of them keeps the gateway from answering.
    const history = platform.historyState();
    const programs = platform.deployments.all().map(programStatus);
    const stream = platform.streamState();
    const positions = platform.positionsState();
    const details = {
      chain: platform.newest(),
      stream,
      positions,
      localnet,
      history,
      drift: drift(),
      programs,
    };
    return reasons.length === 0
      ? c.json({ status: 'ready', ...details })
      : c.json({ status: 'not ready', reasons, ...details }, 503);
  });
  const exposition = cachedResult(async () => {
    const { contentType, text } = await metrics.expose();
    return new EncodedAnswer(Buffer.from(text), {
      contentType,
      tagged: false,
      headers: { vary: 'Accept-Encoding' },
    });
  }, metricsHoldMs);
  routes.get('/metrics', exactPath, async (c) => asResponse(await (await exposition()).answer(c.req.raw)));
  return routes;
}
