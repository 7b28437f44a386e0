import { RollOverBench } from '../localnet/roll-over-bench.ts';
import { RolloverBench, TERM, TERM_LOAN } from '../localnet/rollover-bench.ts';
import type { Trigger } from './built-warnings.ts';
import { addressNumber, type LendingSetting, NOW } from './lending-accounts.ts';

const OPEN = { ...TERM_LOAN, reserves: [{}, {}, {}] };
const WANTED = { enabled: true, maxBorrowRateBps: 900, minTermSeconds: 86_400n };

/** Reserves of one token: with a term of 30 days, with the given one, and without. */
const rolled = (
  target: NonNullable<LendingSetting['reserves']>[number]['config'],
  debt: Parameters<RollOverBench['store']>[0] = {},
  available = 600_000_000_000n,
) => {
  const change = { liquidity: { mintPubkey: addressNumber(201) } };
  const reserves = [
    {},
    { change, config: { debtTermSeconds: TERM } },
    { change, available, config: { debtTermSeconds: TERM, ...target } },
  ];
  return new RollOverBench(
    { ...TERM_LOAN, reserves },
    {},
    {
      lastBorrowedAtTimestamp: NOW.timestamp - TERM,
      fixedTermBorrowRolloverConfig: {
        autoRolloverEnabled: 1,
        openTermAllowed: 1,
        maxBorrowRateBps: 5_000,
        minDebtTermSeconds: 1n,
      },
      ...debt,
    },
  )
    .rollOver(2)
    .preview().warnings;
};

const HIGHER = {
  borrowRateCurve: {
    points: Array.from({ length: 11 }, (_, i) => ({
      utilizationRateBps: i === 0 ? 0 : 10_000,
      borrowRateBps: 6_000,
    })),
  },
};

export const ROLLOVER_TRIGGERS: readonly Trigger[] = [
  ['ROLLED_OVER_IN_PART', 'a reserve with little liquidity', () => rolled({}, {}, 1_000_000n)],
  ['ROLLOVER_RATE_HIGHER', 'a reserve with a higher rate', () => rolled({ debtTermSeconds: 0n, ...HIGHER })],
  [
    'ROLLOVER_ENDS_EARLIER',
    'a reserve that matures before the end',
    () =>
      rolled(
        { debtMaturityTimestamp: NOW.timestamp + 5n },
        { lastBorrowedAtTimestamp: NOW.timestamp - TERM + 6n },
      ),
  ],
  ['ROLLOVER_SETTINGS_CLEARED', 'a reserve without a term', () => rolled({ debtTermSeconds: 0n })],
  ['ACTION_NOT_ALLOWED', 'a higher rate than the owner allows', () => rolled(HIGHER)],
  ['LIQUIDITY_TOO_LOW', 'a rollover into an empty reserve', () => rolled({}, {}, 0n)],
  ['BORROW_LIMIT_EXCEEDED', 'a rollover into a full reserve', () => rolled({ borrowLimit: 1n })],
  [
    'UTILIZATION_BLOCK',
    'a rollover into a used reserve',
    () => rolled({ utilizationLimitBlockBorrowingAbovePct: 40 }),
  ],
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
