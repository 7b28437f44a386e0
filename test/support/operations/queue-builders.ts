import { both, NOBODY, otherRow, U64_MAX } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders of the withdraw queue. */

type Refusals = Parameters<typeof otherRow>[3];

const NO_TICKET: Refusals = [
  {
    name: 'a ticket that is none',
    change: (subjects) => ({ ticket: NOBODY(subjects) }),
    status: 400,
    code: 'KLEND_TICKET_NOT_FOUND',
  },
];
const NO_AMOUNT: Refusals = [
  { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
  {
    name: 'too many decimals',
    change: () => ({ amount: '1.0000000000001' }),
    status: 400,
    code: 'AMOUNT_TOO_MANY_DECIMALS',
  },
];
const NO_RESERVE: Refusals = [
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
];

const enqueueBody = ({ wallet, market, depositReserve, obligation }: Subjects['addresses']) => ({
  wallet,
  market,
  reserve: depositReserve,
  obligation: { address: obligation },
});

const ENQUEUE: BuilderTwin = {
  mutation: 'buildEnqueueWithdraw',
  inputType: 'EnqueueWithdrawInput',
  inputs(addresses) {
    const common = enqueueBody(addresses);
    const { obligation: _, ...fromWallet } = common;
    return [
      { body: { ...common, amount: '0.25' }, input: { ...common, amount: { tokens: '0.25' } } },
      { body: { ...common, amount: U64_MAX }, input: { ...common, amount: { all: 'ALL' } } },
      { body: { ...fromWallet, amount: '0.25' }, input: { ...fromWallet, amount: { tokens: '0.25' } } },
    ];
  },
};

const enqueueRow = (path: string) =>
  otherRow(path, ENQUEUE, ({ addresses }) => ({ ...enqueueBody(addresses), amount: '0.5' }), [
    ...NO_RESERVE,
    ...NO_AMOUNT,
    {
      name: 'an obligation that is none',
      change: (subjects) => ({ obligation: { address: NOBODY(subjects) } }),
      status: 400,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    },
    {
      name: 'no such deposit',
      change: ({ addresses }) => ({ reserve: addresses.borrowReserve }),
      status: 400,
      code: 'KLEND_POSITION_NOT_FOUND',
    },
    {
      name: 'all of nothing',
      change: () => ({ obligation: undefined, amount: U64_MAX }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const payBody = ({ wallet, queuedMarket, queuedReserve }: Subjects['addresses']) => ({
  wallet,
  market: queuedMarket,
  reserve: queuedReserve,
});

const PAY: BuilderTwin = {
  mutation: 'buildWithdrawQueued',
  inputType: 'WithdrawQueuedInput',
  inputs: (addresses) => [{ body: payBody(addresses), input: payBody(addresses) }],
};

const payRow = (path: string) =>
  otherRow(path, PAY, ({ addresses }) => payBody(addresses), [
    ...NO_RESERVE,
    ...NO_TICKET,
    {
      name: 'a ticket that is not the first',
      change: ({ addresses }) => ({ ticket: addresses.queuedTicket }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
    {
      name: 'an empty queue',
      change: ({ addresses }) => ({ market: addresses.market, reserve: addresses.depositReserve }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const cancelBody = ({ queuedWallet, queuedTicket }: Subjects['addresses']) => ({
  wallet: queuedWallet,
  ticket: queuedTicket,
});

const CANCEL: BuilderTwin = {
  mutation: 'buildCancelWithdrawTicket',
  inputType: 'CancelWithdrawTicketInput',
  inputs(addresses) {
    const common = cancelBody(addresses);
    return [
      { body: { ...common, amount: '1.25' }, input: { ...common, amount: { tokens: '1.25' } } },
      { body: { ...common, amount: 'U64::MAX' }, input: { ...common, amount: { all: 'ALL' } } },
    ];
  },
};

const cancelRow = (path: string) =>
  otherRow(path, CANCEL, ({ addresses }) => ({ ...cancelBody(addresses), amount: '1.5' }), [
    ...NO_TICKET,
    ...NO_AMOUNT,
    {
      name: 'a ticket of somebody else',
      change: ({ addresses }) => ({ wallet: addresses.wallet }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const recoverBody = ({ wallet, queuedTicket }: Subjects['addresses']) => ({ wallet, ticket: queuedTicket });

const RECOVER: BuilderTwin = {
  mutation: 'buildRecoverWithdrawTicket',
  inputType: 'RecoverWithdrawTicketInput',
  inputs: (addresses) => [{ body: recoverBody(addresses), input: recoverBody(addresses) }],
};

const recoverRow = (path: string) =>
  otherRow(path, RECOVER, ({ addresses }) => recoverBody(addresses), NO_TICKET);

export const QUEUE_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/enqueue-withdraw').map(enqueueRow),
  ...both('/ktx/klend/withdraw-queued').map(payRow),
  ...both('/ktx/klend/cancel-withdraw-ticket').map(cancelRow),
  ...both('/ktx/klend/recover-withdraw-ticket').map(recoverRow),
];
