import { RolloverBench, TERM_LOAN } from '../localnet/rollover-bench.ts';
import type { Trigger } from './built-warnings.ts';

const OPEN = { ...TERM_LOAN, reserves: [{}, {}, {}] };
const WANTED = { enabled: true, maxBorrowRateBps: 900, minTermSeconds: 86_400n };

export const ROLLOVER_TRIGGERS: readonly Trigger[] = [
  [
    'ROLLOVER_UNAVAILABLE',
    'a debt without a term',
    () => new RolloverBench(OPEN).build(WANTED).preview().warnings,
  ],
  [
    'ROLLOVER_UNAVAILABLE',
    'neither a fixed nor an open term',
    () => new RolloverBench().build({ ...WANTED, minTermSeconds: 0n }).preview().warnings,
  ],
  [
    'ROLLOVER_UNAVAILABLE',
    'a market without rollovers',
    () =>
      new RolloverBench(TERM_LOAN, { fixedTermRolloverWindowDurationSeconds: 0n }).build(WANTED).preview()
        .warnings,
  ],
  [
    'ROLLOVER_UNAVAILABLE',
    'a market without moves to a fixed term',
    () =>
      new RolloverBench(OPEN, { obligationBorrowMigrationToFixedExecutionEnabled: 0 })
        .build({ ...WANTED, migrationToFixed: true })
        .preview().warnings,
  ],
  [
    'ROLLOVER_UNAVAILABLE',
    'a move to a fixed term of a debt that has one',
    () => new RolloverBench().build({ ...WANTED, enabled: false, migrationToFixed: true }).preview().warnings,
  ],
  [
    'ROLLOVER_RATE_UNLIMITED',
    'a rollover to a debt without a term',
    () => new RolloverBench().build({ ...WANTED, openTermAllowed: true }).preview().warnings,
  ],
  [
    'ACTION_NOT_ALLOWED',
    'a market that has switched rollovers off',
    () =>
      new RolloverBench(TERM_LOAN, { obligationBorrowRolloverConfigurationEnabled: 0 })
        .build(WANTED)
        .preview().warnings,
  ],
];
