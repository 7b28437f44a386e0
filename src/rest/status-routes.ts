import { Hono } from 'hono';
import type { Platform } from '../services/platform.ts';

/** Whether the process lives, and whether it can answer. */
export function statusRoutes(platform: Platform): Hono {
  const routes = new Hono();
  routes.get('/health', (c) => c.json({ status: 'alive' }));
  routes.get('/ready', (c) => {
    const reasons = platform.troubles();
    return reasons.length === 0 ? c.json({ status: 'ready' }) : c.json({ status: 'not ready', reasons }, 503);
  });
  return routes;
}
