import { both, NOBODY, otherRow } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** The builders of rollovers of a debt, and of their settings. */

const placeOf = ({ termWallet, termMarket, termReserve }: Subjects['addresses']) => ({
  wallet: termWallet,
  market: termMarket,
  reserve: termReserve,
});

const ALL = {
  enabled: true,
  maxBorrowRateBps: 900,
  openTermAllowed: true,
  migrationToFixed: true,
  windowDays: 3,
};

const SET: BuilderTwin = {
  mutation: 'buildSetRolloverSettings',
  inputType: 'SetRolloverSettingsInput',
  inputs(addresses) {
    const place = placeOf(addresses);
    const few = { ...place, enabled: true, maxBorrowRateBps: 900 };
    return [
      { body: few, input: few },
      {
        body: { ...place, ...ALL, minTermSeconds: 604_800 },
        input: { ...place, ...ALL, minTermSeconds: '604800' },
      },
    ];
  },
};

const setRow = (path: string) =>
  otherRow(path, SET, ({ addresses }) => ({ ...placeOf(addresses), enabled: true, maxBorrowRateBps: 900 }), [
    {
      name: 'a market that is none',
      change: (subjects) => ({ market: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
    {
      name: 'a reserve that is none',
      change: (subjects) => ({ reserve: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_RESERVE_NOT_FOUND',
    },
    {
      name: 'a reserve of another market',
      change: ({ addresses }) => ({ reserve: addresses.reserve }),
      status: 400,
      code: 'RESERVE_NOT_IN_MARKET',
    },
    {
      name: 'a wallet without the obligation',
      change: ({ addresses }) => ({ wallet: addresses.emptyWallet }),
      status: 400,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    },
    {
      name: 'no maximum rate',
      change: () => ({ maxBorrowRateBps: 0 }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
    {
      name: 'nothing new',
      change: () => ({ enabled: false, maxBorrowRateBps: 0 }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const debtOf = ({ wallet, termObligation, termReserve }: Subjects['addresses']) => ({
  wallet,
  obligation: termObligation,
  reserve: termReserve,
  targetReserve: termReserve,
});

const ROLL_OVER: BuilderTwin = {
  mutation: 'buildRollOverBorrow',
  inputType: 'RollOverBorrowInput',
  inputs(addresses) {
    const body = debtOf(addresses);
    return [{ body, input: body }];
  },
};

const rollOverRow = (path: string) =>
  otherRow(path, ROLL_OVER, ({ addresses }) => debtOf(addresses), [
    {
      name: 'an obligation that is none',
      change: (subjects) => ({ obligation: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    },
    {
      name: 'a reserve that is none',
      change: (subjects) => ({ reserve: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_RESERVE_NOT_FOUND',
    },
    {
      name: 'a target that is none',
      change: (subjects) => ({ targetReserve: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_RESERVE_NOT_FOUND',
    },
    {
      name: 'a target of another market',
      change: ({ addresses }) => ({ targetReserve: addresses.reserve }),
      status: 400,
      code: 'RESERVE_NOT_IN_MARKET',
    },
  ]);

export const ROLLOVER_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/set-rollover-settings').map(setRow),
  ...both('/ktx/klend/roll-over-borrow').map(rollOverRow),
];
