import { both, NOBODY, otherRow } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders of the transfer of an obligation. */

type Refusals = Parameters<typeof otherRow>[3];
type Addresses = Subjects['addresses'];

const NO_OBLIGATION: Refusals = [
  {
    name: 'a market that is none',
    change: (subjects) => ({ market: NOBODY(subjects) }),
    status: 400,
    code: 'KLEND_MARKET_NOT_FOUND',
  },
  {
    name: 'an obligation that is none',
    change: (subjects) => ({ obligation: { address: NOBODY(subjects) } }),
    status: 400,
    code: 'KLEND_OBLIGATION_NOT_FOUND',
  },
  {
    name: 'an obligation of another wallet',
    change: ({ addresses }) => ({
      wallet: addresses.emptyWallet,
      obligation: { address: addresses.obligation },
    }),
    status: 400,
    code: 'BUILD_REFUSED',
  },
];

const companion = (name: string, options: object, code: string): Refusals[number] => ({
  name: `${name} beside it`,
  change: () => ({ options }),
  status: 400,
  code,
});

const initiateBody = ({ wallet, market, emptyWallet }: Addresses) => ({
  wallet,
  market,
  newOwner: emptyWallet,
});

const INITIATE: BuilderTwin = {
  mutation: 'buildInitiateObligationTransfer',
  inputType: 'InitiateObligationTransferInput',
  inputs(addresses) {
    const body = initiateBody(addresses);
    const named = { ...body, obligation: { address: addresses.obligation } };
    return [
      { body, input: body },
      { body: named, input: named },
    ];
  },
};

const initiateRow = (path: string) =>
  otherRow(path, INITIATE, ({ addresses }) => initiateBody(addresses), [
    ...NO_OBLIGATION,
    {
      name: 'its owner as the new one',
      change: ({ addresses }) => ({ newOwner: addresses.wallet }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
    companion('a memo', { memo: 'for you' }, 'MEMO_INVALID'),
  ]);

const abortBody = ({ offeringWallet, market }: Addresses) => ({ wallet: offeringWallet, market });

const ABORT: BuilderTwin = {
  mutation: 'buildAbortObligationTransfer',
  inputType: 'AbortObligationTransferInput',
  inputs(addresses) {
    const body = abortBody(addresses);
    const named = { ...body, obligation: { address: addresses.offeredObligation } };
    return [
      { body, input: body },
      { body: named, input: named },
    ];
  },
};

const abortRow = (path: string) =>
  otherRow(path, ABORT, ({ addresses }) => abortBody(addresses), [
    ...NO_OBLIGATION,
    {
      name: 'an approved transfer',
      change: ({ addresses }) => ({ obligation: { address: addresses.approvedObligation } }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const acceptBody = ({ newOwner, approvedObligation }: Addresses) => ({
  wallet: newOwner,
  obligation: approvedObligation,
});

const ACCEPT: BuilderTwin = {
  mutation: 'buildAcceptObligation',
  inputType: 'AcceptObligationInput',
  inputs: (addresses) => [{ body: acceptBody(addresses), input: acceptBody(addresses) }],
};

const acceptRow = (path: string) =>
  otherRow(path, ACCEPT, ({ addresses }) => acceptBody(addresses), [
    {
      name: 'an obligation that is none',
      change: (subjects) => ({ obligation: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    },
    {
      name: 'an obligation that is not approved',
      change: ({ addresses }) => ({ obligation: addresses.offeredObligation }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
    {
      name: 'an obligation that is offered to somebody else',
      change: ({ addresses }) => ({ wallet: addresses.wallet }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

export const OWNERSHIP_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/initiate-obligation-transfer').map(initiateRow),
  ...both('/ktx/klend/abort-obligation-transfer').map(abortRow),
  ...both('/ktx/klend/accept-obligation').map(acceptRow),
];
