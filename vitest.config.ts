import { createRequire } from 'node:module';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import TemplateOrder from './test/support/databases/template-order.ts';

const require = createRequire(import.meta.url);

/** Workspaces are run from their sources. */
const SOURCES = '@sluice/source';
/** Vitest's own. ES modules of packages are for bundlers where Node would load CommonJS. */
const CONDITIONS = defaultServerConditions.filter((condition) => condition !== 'module');

const NEVER = ['**/node_modules/**', 'test/oracle/**'];
/** Integration tests of the gateway, and those of each package. */
const TESTS = ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'];
const PROCESS = '**/*.process.test.ts';
const FAULTS = '**/*.faults.test.ts';
const BROWSER = 'test/browser/**/*.test.ts';
const LONG = 'test/long/**/*.test.ts';
/** Tables that take a minute or more, beside the suites to which they belong. */
const LONG_TABLES = '**/*.long.test.ts';

export default defineConfig({
  resolve: {
    // graphql must be one copy: its CommonJS and ES builds refuse each other's types.
    alias: { graphql: require.resolve('graphql') },
    conditions: [SOURCES, ...CONDITIONS],
  },
  ssr: { resolve: { conditions: [SOURCES, ...CONDITIONS] } },
  test: {
    // For two cores: two workers run while others wait for PostgreSQL, a child process or a timer.
    maxWorkers: 4,
    // Transformed sources are shared by the projects and kept for the next run. Our imports name files with their extension,
    // so a cached module cannot refer to a file that has meanwhile changed its name.
    experimental: { fsModuleCache: true },
    // Bounds on hangs, not on speed: the suites pass on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // `execution-*` compare our executor with graphql-js 16, which abandons promises (src/app/abandoned-fields.ts).
    onUnhandledError: (error) =>
      error.name !== 'GraphQLError' ||
      !error.stack?.includes('node_modules/graphql/execution/') ||
      !('VITEST_TEST_PATH' in error && String(error.VITEST_TEST_PATH).includes('/execution-')),
    globalSetup: ['test/support/databases/drop-databases.ts'],
    sequence: { sequencer: TemplateOrder },
    projects: [
      // Files share loaded modules, one copy for each worker, so they must not replace modules with vi.mock. `test/unit` is
      // pure: no network, database or child process.
      {
        extends: true,
        test: {
          name: 'shared',
          include: TESTS,
          exclude: [...NEVER, PROCESS, FAULTS, BROWSER, LONG, LONG_TABLES],
          isolate: false,
          setupFiles: ['test/support/property-seed.ts'],
        },
      },
      // Tables of faults that take long: lying and failing endpoints, full disks, lost databases, killed processes.
      { extends: true, test: { name: 'faults', include: [FAULTS], exclude: [...NEVER, LONG] } },
      // Needs a worker for each file, because it replaces modules with vi.mock or measures the heap, or starts other processes:
      // our programs, npm commands, a compiler and a browser.
      { extends: true, test: { name: 'process', include: [PROCESS, BROWSER], exclude: [...NEVER, LONG] } },
      {
        extends: true,
        test: { name: 'long', include: [LONG, LONG_TABLES], exclude: NEVER, testTimeout: 1_800_000 },
      },
    ],
  },
});
