import { expect, it, vi } from 'vitest';
import { startEmbeddedApp } from '../support/apps/embedded-app.ts';

const loads = vi.hoisted(() => ({ begun: 0, ended: 0 }));

/** Takes longer to load than stopping takes. */
vi.mock('../../src/app/rest-app.ts', async (original) => {
  loads.begun += 1;
  await new Promise((resolve) => setTimeout(resolve, 500));
  const module = await original<typeof import('../../src/app/rest-app.ts')>();
  loads.ended += 1;
  return module;
});

it('a gateway that is stopped at once loads nothing afterwards', async () => {
  const { app } = await startEmbeddedApp();
  await app.stop();
  const { begun, ended } = loads;
  expect(ended).toBe(begun);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(loads).toEqual({ begun, ended });
});

it('a gateway that is stopped while it loads the REST layer stops once it is loaded', async () => {
  const { app } = await startEmbeddedApp();
  const answer = app.fetch(new Request('http://gateway.test/health'));
  await vi.waitFor(() => expect(loads.begun).toBe(1), { timeout: 120_000 });
  await app.stop();
  expect(loads.ended).toBe(1);
  expect((await answer).status).toBe(200);
});
