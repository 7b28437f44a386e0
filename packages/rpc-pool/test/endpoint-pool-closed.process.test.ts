import { expect, it } from 'vitest';
import { slot } from './support/scripted-rpc.ts';
import { poolOver, serve, until } from './support/test-pools.ts';

// Looks at the timers and connections of the whole process, so it needs one of its own.
it('a pool that is closed leaves no timers or connections', async () => {
  const server = await serve(slot(7));
  const pool = poolOver([server.url]);
  await Promise.all(Array.from({ length: 50 }, () => pool.rpc.getSlot().send()));
  await pool.close();
  const active = () => process.getActiveResourcesInfo();
  // Vitest has a timeout of its own for the current test.
  expect(active().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(1);
  await until(() => !active().includes('TCPSocketWrap'));
});
