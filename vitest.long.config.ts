import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** Suites that take minutes: `vitest run --config vitest.long.config.ts`. */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['test/long/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 1_800_000,
  },
});
