import { both, NOBODY, otherRow } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders of referrers and of those who name them. */

type Refusals = Parameters<typeof otherRow>[3];

const NO_RESERVE: Refusals = [
  {
    name: 'a reserve that is none',
    change: (subjects) => ({ reserves: [NOBODY(subjects)] }),
    status: 400,
    code: 'KLEND_RESERVE_NOT_FOUND',
  },
];

const setUpBody = ({ wallet, market, borrowReserve }: Subjects['addresses']) => ({
  wallet,
  market,
  reserves: [borrowReserve],
});

const SET_UP: BuilderTwin = {
  mutation: 'buildSetUpReferrer',
  inputType: 'SetUpReferrerInput',
  inputs(addresses) {
    const one = setUpBody(addresses);
    const { reserves: _, ...all } = one;
    return [
      { body: one, input: one },
      { body: all, input: all },
    ];
  },
};

const setUpRow = (path: string) =>
  otherRow(path, SET_UP, ({ addresses }) => setUpBody(addresses), [
    ...NO_RESERVE,
    {
      name: 'a market that is none',
      change: (subjects) => ({ market: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
  ]);

const nameBody = ({ emptyWallet, wallet: referrer }: Subjects['addresses']) => ({
  wallet: emptyWallet,
  referrer,
});

const NAME: BuilderTwin = {
  mutation: 'buildNameReferrer',
  inputType: 'NameReferrerInput',
  inputs: (addresses) => [{ body: nameBody(addresses), input: nameBody(addresses) }],
};

const nameRow = (path: string) =>
  otherRow(path, NAME, ({ addresses }) => nameBody(addresses), [
    {
      name: 'a wallet that is registered',
      change: ({ addresses }) => ({ wallet: addresses.wallet, referrer: addresses.referrer }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
    {
      name: 'a referrer that is not registered',
      change: (subjects) => ({ referrer: NOBODY(subjects) }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
    {
      name: 'itself',
      change: ({ addresses }) => ({ referrer: addresses.emptyWallet }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const claimBody = ({ referrer, referredReserve }: Subjects['addresses']) => ({
  wallet: referrer,
  reserves: [referredReserve],
});

const CLAIM: BuilderTwin = {
  mutation: 'buildClaimReferralFees',
  inputType: 'ClaimReferralFeesInput',
  inputs: (addresses) => [{ body: claimBody(addresses), input: claimBody(addresses) }],
};

const claimRow = (path: string) =>
  otherRow(path, CLAIM, ({ addresses }) => claimBody(addresses), [
    ...NO_RESERVE,
    {
      name: 'a wallet that refers nobody',
      change: ({ addresses }) => ({ wallet: addresses.emptyWallet, reserves: undefined }),
      status: 400,
      code: 'NOTHING_TO_CLAIM',
    },
  ]);

export const REFERRAL_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/set-up-referrer').map(setUpRow),
  ...both('/ktx/klend/name-referrer').map(nameRow),
  ...both('/ktx/klend/claim-referral-fees').map(claimRow),
];
