import { Hono } from 'hono';
import type { Platform } from '../services/platform.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Whether the process lives, whether it can answer, and how it does. */
export function statusRoutes(platform: Platform, metrics: Metrics, drift: () => object | null): Hono {
  const routes = new Hono();
  routes.get('/health', (c) => c.json({ status: 'alive' }));
  routes.get('/ready', (c) => {
    const reasons = platform.troubles();
    // History that is late or away is told, and does not keep the chain from being read.
    const history = platform.history.state();
    // So are numbers that are not the chain's own: people decide what to do about them.
    // An old View answers on, so how old it is stands here, too.
    const others = { chain: platform.newest(), history, drift: drift() };
    return reasons.length === 0
      ? c.json({ status: 'ready', ...others })
      : c.json({ status: 'not ready', reasons, ...others }, 503);
  });
  routes.get('/metrics', async (c) => {
    const { contentType, text } = await metrics.expose();
    return c.body(text, 200, { 'content-type': contentType });
  });
  return routes;
}
