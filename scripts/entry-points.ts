import { THREADS } from '../src/threads/start-thread.ts';

/** Everything that is started by its name, in `src` and, built, in `dist`. */
export const ENTRY_POINTS: readonly string[] = [
  'main',
  'recorder',
  'doctor',
  'healthcheck',
  'import-history',
  'keys',
  'programs-check',
  'demo/main',
  ...THREADS,
];
