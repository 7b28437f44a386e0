import type { ReserveLimit } from '../../../domain/reserve-capacity.ts';
import {
  type BorrowRouteCapacity,
  type Capacity,
  type CapacityLimit,
  type ReserveCapacity,
  reserveCapacity,
} from '../../../services/reserves/capacity.ts';
import { builder } from '../../builder.ts';
import { ReserveRef, reserveLink } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const ReserveLimitRef = builder.enumType('ReserveLimit', {
  description: 'A limit on what can be supplied to a reserve, borrowed from it or withdrawn from it.',
  values: {
    NOT_ALLOWED: {
      description:
        'The market or the reserve does not accept the action at all: emergency mode, an obsolete reserve, borrowing disabled, or debts that have matured.',
    },
    PRICE: {
      description: 'The lending program does not accept the price of the token, which borrowing requires.',
    },
    DEPOSIT_LIMIT: { description: 'The maximum total supply of the reserve.' },
    BORROW_LIMIT: { description: 'The maximum total borrow of the reserve.' },
    DEBT_CAPS: {
      description:
        'The caps on debt outside elevation groups and against each collateral inside one, together. `borrowRoutes` lists them.',
    },
    UTILIZATION: { description: 'The utilization at which borrowing is blocked.' },
    LIQUIDITY: { description: 'The liquidity of the reserve that is not lent out or queued for withdrawal.' },
    OUTFLOW: { description: 'The cap on net outflow in the current interval.' },
    SUPPLY: { description: 'The total supply: all suppliers together own no more.' },
  } as const satisfies Record<ReserveLimit, object>,
});

const CapacityLimitRef = builder.objectRef<CapacityLimit>('CapacityLimit').implement({
  description: 'One limit and what it leaves.',
  fields: (t) => ({
    name: t.expose('name', { type: ReserveLimitRef, description: 'The limit.' }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Rest of the limit, in whole base units. 0 when it is used up.',
    }),
  }),
});

const CapacityRef = builder.objectRef<Capacity>('Capacity').implement({
  description: 'Amount of an action that a reserve still allows, by each limit. All wallets share it.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Amount that can be moved now: the smallest of the limits.',
    }),
    bindingLimit: t.expose('bindingLimit', {
      type: ReserveLimitRef,
      description: 'The limit that sets `amount`. The first one in `limits` when several are equal.',
    }),
    limits: t.expose('limits', {
      type: [CapacityLimitRef],
      description: 'The limits that apply now. A limit that the reserve does not set is left out.',
    }),
  }),
});

const BorrowRouteRef = builder.objectRef<BorrowRouteCapacity>('BorrowRoute').implement({
  description:
    'One way to borrow from a reserve: outside elevation groups, or against one collateral inside one. Each has its own cap.',
  fields: (t) => ({
    elevationGroup: t.exposeInt('elevationGroup', {
      description: 'Number of the elevation group. 0 for outside.',
    }),
    collateralAddress: t.expose('collateral', {
      type: 'Address',
      nullable: true,
      description: 'Address of the collateral\u2019s reserve. Null outside elevation groups.',
    }),
    collateral: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The collateral\u2019s reserve. Null outside elevation groups; null with an error when it cannot be read.',
      resolve: ({ collateral }, _args, { session }) =>
        collateral === null ? null : reserveLink(session, collateral),
    }),
    cap: t.expose('cap', {
      type: TokenAmountRef,
      nullable: true,
      description: 'Rest of the cap of this route. Null when it has none.',
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Amount that can be borrowed this way now, the origination fee included.',
    }),
    bindingLimit: t.expose('bindingLimit', {
      type: ReserveLimitRef,
      description: 'The limit that sets `amount`. `DEBT_CAPS` is the cap of this route.',
    }),
  }),
});

const ReserveCapacityRef = builder.objectRef<ReserveCapacity>('ReserveCapacity').implement({
  description:
    'Amounts that can still be supplied to a reserve, borrowed from it and withdrawn from it at the slot of the View, by the rules of the lending program. Collateral of a borrower is not considered: see `Obligation.maxBorrow`.',
  fields: (t) => ({
    supply: t.expose('supply', { type: CapacityRef, description: 'Supplying.' }),
    borrow: t.expose('borrow', {
      type: CapacityRef,
      description: 'Borrowing, by all routes together. The origination fee is included in the amounts.',
    }),
    withdraw: t.expose('withdraw', { type: CapacityRef, description: 'Withdrawing.' }),
    borrowRoutes: t.expose('borrowRoutes', {
      type: [BorrowRouteRef],
      description:
        'The ways to borrow, each with its cap: outside elevation groups first, then by collateral. Groups that accept no new debts are left out.',
    }),
  }),
});

builder.objectFields(ReserveRef, (t) => ({
  capacity: t.field({
    type: ReserveCapacityRef,
    description: 'Amounts that can still be supplied, borrowed and withdrawn now, and the limit that binds.',
    resolve: (reserve, _args, { session }) => reserveCapacity(session.view, reserve),
  }),
}));
