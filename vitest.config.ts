import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const require = createRequire(import.meta.url);

const NEVER = ['**/node_modules/**', 'test/oracle/**'];
const ISOLATED = 'test/**/*.isolated.test.ts';
const PROCESS = 'test/**/*.process.test.ts';
const LONG = 'test/long/**/*.test.ts';

export default defineConfig({
  resolve: {
    // graphql must be one copy: its CommonJS and ES builds refuse each other's types.
    alias: { graphql: require.resolve('graphql') },
  },
  test: {
    // Workers share two cores; more of them only wait for each other.
    maxWorkers: 2,
    // A bound on hangs, not on speed: suites pass on a machine that is busy with other work.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        // Pure: no network, database or child process.
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], exclude: NEVER, isolate: false },
      },
      {
        extends: true,
        // Starts gateways inside the worker. Files share loaded modules, so they must not mock any.
        test: {
          name: 'gateway',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, 'test/unit/**', ISOLATED, PROCESS, LONG],
          isolate: false,
        },
      },
      {
        extends: true,
        // Replaces modules with vi.mock, which needs a worker for each file.
        test: { name: 'isolated', include: [ISOLATED], exclude: [...NEVER, LONG] },
      },
      {
        extends: true,
        // Starts our programs as child processes and kills them.
        test: { name: 'process', include: [PROCESS], exclude: [...NEVER, LONG] },
      },
      {
        extends: true,
        test: { name: 'long', include: [LONG], exclude: NEVER, testTimeout: 1_800_000 },
      },
    ],
  },
});
