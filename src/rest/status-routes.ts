import { Hono } from 'hono';
import type { Platform } from '../services/platform.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Liveness, readiness and metrics. */
export function statusRoutes(platform: Platform, metrics: Metrics, drift: () => object | null): Hono {
  const routes = new Hono();
  routes.get('/health', (c) => c.json({ status: 'alive' }));
  routes.get('/ready', (c) => {
    const reasons = platform.troubles();
    // Late or unavailable history, drift and an old View are reported; none of them keeps the gateway from answering.
    const history = platform.history.state();
    const details = { chain: platform.newest(), history, drift: drift() };
    return reasons.length === 0
      ? c.json({ status: 'ready', ...details })
      : c.json({ status: 'not ready', reasons, ...details }, 503);
  });
  routes.get('/metrics', async (c) => {
    const { contentType, text } = await metrics.expose();
    return c.body(text, 200, { 'content-type': contentType });
  });
  return routes;
}
