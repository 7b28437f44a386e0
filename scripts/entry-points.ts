import { THREADS } from '../src/node/start-thread.ts';

/** Programs and worker threads: the name of the built file in `dist`, and its source in `src`. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  main: 'main',
  recorder: 'cli/recorder/main',
  doctor: 'cli/doctor/main',
  healthcheck: 'cli/healthcheck/main',
  'import-history': 'cli/import-history/main',
  keys: 'cli/keys/main',
  'programs-check': 'cli/programs-check/main',
  'demo-rpc': 'cli/demo-rpc/main',
  ...Object.fromEntries(THREADS.map((thread) => [thread, thread])),
};
