import type { TestApp } from './test-app.ts';

/** Waits until the gateway has opened its database. */
export async function untilHistoryIsReady(gateway: TestApp): Promise<void> {
  for (;;) {
    const { data } = await gateway.query<{ chain: { recorder: { status: string } } }>(
      '{ chain { recorder { status } } }',
    );
    if (data.chain.recorder.status === 'READY') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
