import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, whole } from './gateway.ts';

const POLL_MS = 500;
/** Longest wait on a cluster whose time stands still, or is unknown. */
const LIMIT_MS = 30_000;

const blockTime = async (ask: Ask): Promise<number> => {
  const answer = await ask<{ readonly chain: { readonly blockTime: string | null } }>(
    '{ chain { blockTime } }',
    {},
  );
  return Date.parse(whole(answer).chain.blockTime ?? '');
};

/** Waits until the time of the cluster has advanced. */
export async function chainSeconds(ask: Ask, seconds: number): Promise<void> {
  const start = await blockTime(ask);
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    if ((await blockTime(ask)) - start >= seconds * 1_000) return;
    await pause(POLL_MS);
  }
}
