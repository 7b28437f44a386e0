import { BACKGROUND_MODULES } from '../src/node/background.ts';

/** Programs, threads and background processes: the name of the built file in `dist`, and its source in `src`. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  main: 'main',
  recorder: 'cli/recorder/main',
  doctor: 'cli/doctor/main',
  dump: 'cli/dump/main',
  healthcheck: 'cli/healthcheck/main',
  'import-catalogue': 'cli/import-catalogue/main',
  'import-history': 'cli/import-history/main',
  keys: 'cli/keys/main',
  alerts: 'cli/alerts/main',
  mcp: 'cli/mcp/main',
  'programs-check': 'cli/programs-check/main',
  localnet: '../packages/localnet/src/cli',
  ...Object.fromEntries(BACKGROUND_MODULES.map((module) => [module, module])),
};
