import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../apps/embedded-app.ts';
import { DEADLINE } from './fuzz-suites.ts';

export interface RecordedApp extends TestEmbeddedApp {
  /** Log lines of unexpected failures. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

const POLL_MS = 200;

/** The whole product as `npm start` runs it, with an advancing chain and generated history. */
export async function startRecordedApp(): Promise<RecordedApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-fuzz-'));
  const faults: string[] = [];
  const logger = createLogger('error', { write: (line) => faults.push(line) });
  const env = { ...DEADLINE, RECORDER: 'auto', DATA_DIR: dataDir, VIEW_REFRESH_MS: '2000' };
  const world = await startEmbeddedApp(env, { logger });
  for (;;) {
    const ready = await world.app.fetch(new Request('http://sluice.test/ready'));
    if ((await ready.text()).includes('"history":{"status":"ready"')) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    ...world,
    faults,
    async stop() {
      await world.app.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
