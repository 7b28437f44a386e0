import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

const NEVER = ['**/node_modules/**', 'test/oracle/**'];
const ISOLATED = 'test/**/*.isolated.test.ts';
const PROCESS = 'test/**/*.process.test.ts';
const LONG = 'test/long/**/*.test.ts';

/** A project whose files share loaded modules, one copy for each worker. They must not replace modules with vi.mock. */
const shared = (name: string, ...folders: string[]) => ({
  extends: true as const,
  test: {
    name,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [...NEVER, ISOLATED, PROCESS],
    isolate: false,
  },
});

export default defineConfig({
  resolve: {
    // graphql must be one copy: its CommonJS and ES builds refuse each other's types.
    alias: { graphql: require.resolve('graphql') },
  },
  test: {
    // Workers share two cores; more of them only wait for each other.
    maxWorkers: 2,
    // Bounds on hangs, not on speed: the suites pass on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/databases/drop-databases.ts'],
    projects: [
      // Pure: no network, database or child process.
      shared('unit', 'unit'),
      shared('query', 'query', 'limits', 'live', 'browser'),
      shared('contract', 'contract'),
      shared('chain', 'commands', 'demo', 'faults', 'verification'),
      shared('store', 'import', 'ingest', 'store'),
      // Replaces modules with vi.mock or measures the heap: a worker for each file.
      { extends: true, test: { name: 'isolated', include: [ISOLATED], exclude: [...NEVER, LONG] } },
      // Starts our programs as child processes and kills them.
      { extends: true, test: { name: 'process', include: [PROCESS], exclude: [...NEVER, LONG] } },
      { extends: true, test: { name: 'long', include: [LONG], exclude: NEVER, testTimeout: 1_800_000 } },
    ],
  },
});
