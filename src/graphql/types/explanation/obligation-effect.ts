import {
  figureChange,
  type ObligationEffect,
  type PositionChange,
} from '../../../services/explain/obligation-effects.ts';
import { builder } from '../../builder.ts';
import { MarketRef, marketLink } from '../../node-refs.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { UnknownValueRef } from '../risk/obligation-what-if.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ChangeRef } from '../values/change.ts';

const PositionChangeRef = builder.objectRef<PositionChange>('PositionChange').implement({
  description: 'A deposit or a debt before and after a transaction.',
  fields: (t) => ({
    ...presentReserveFields(t),
    before: t.expose('before', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Amount before, with interest; 0 tokens when there is none. Null when the reserve cannot be read.',
    }),
    after: t.expose('after', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Amount after, with interest; 0 tokens when there is none. Null when the reserve cannot be read.',
    }),
  }),
});

const BooleanChangeRef = builder
  .objectRef<{ readonly before: boolean | null; readonly after: boolean | null }>('BooleanChange')
  .implement({
    description: 'Whether something holds before and after a transaction.',
    fields: (t) => ({
      before: t.exposeBoolean('before', {
        nullable: true,
        description: 'Before. Null when it does not apply or is unknown.',
      }),
      after: t.exposeBoolean('after', {
        nullable: true,
        description: 'After. Null when it does not apply or is unknown.',
      }),
    }),
  });

const SIDES =
  'A side is null where the obligation does not exist, and when a value is unknown: see `unknown`.';

export const ObligationEffectRef = builder.objectRef<ObligationEffect>('ObligationEffect').implement({
  description: 'Effect of a transaction on an obligation.',
  fields: (t) => {
    const figure = (name: Parameters<typeof figureChange>[1], description: string) =>
      t.field({
        type: ChangeRef,
        description: `${description} ${SIDES}`,
        resolve: (effect) => figureChange(effect, name),
      });
    return {
      address: t.expose('address', { type: 'Address', description: 'Address of the obligation.' }),
      ownerAddress: t.expose('owner', {
        type: 'Address',
        description: 'Wallet that owns it. A liquidation changes the obligation of somebody else.',
      }),
      marketAddress: t.expose('market', { type: 'Address', description: 'Address of the market.' }),
      market: t.field({
        type: MarketRef,
        nullable: true,
        description: 'The market. Null, with an error, when it cannot be read.',
        resolve: ({ market }, _args, { session }) => marketLink(session, market),
      }),
      isOpened: t.boolean({
        description: 'Whether the transaction creates the obligation.',
        resolve: ({ before }) => before === null,
      }),
      isClosed: t.boolean({
        description: 'Whether the transaction closes the obligation.',
        resolve: ({ after }) => after === null,
      }),
      deposits: t.expose('deposits', {
        type: [PositionChangeRef],
        description:
          'Deposits by reserve, also those that it leaves as they are. Empty when the market cannot be read.',
      }),
      borrows: t.expose('borrows', {
        type: [PositionChangeRef],
        description:
          'Debts by reserve, also those that it leaves as they are. Empty when the market cannot be read.',
      }),
      depositedUsd: figure('depositedUsd', 'Total of deposits, in USD.'),
      borrowedUsd: figure('borrowedUsd', 'Total of debts, in USD.'),
      netValueUsd: figure('netValueUsd', 'Deposits less debts, in USD.'),
      loanToValue: figure(
        'loanToValue',
        'Debt adjusted by borrow factors / deposits that count for borrowing.',
      ),
      liquidationLtv: figure('liquidationLtv', 'Loan-to-value at which it can be liquidated.'),
      healthFactor: figure(
        'healthFactor',
        'Liquidation limit / adjusted debt: at 1 and below the obligation can be liquidated. Also null without debt.',
      ),
      liquidatable: t.field({
        type: BooleanChangeRef,
        description: `Whether the obligation can be liquidated, as the lending program decides it. ${SIDES}`,
        resolve: ({ before, after }) => ({
          before: before?.liquidatable ?? null,
          after: after?.liquidatable ?? null,
        }),
      }),
      unknown: t.field({
        type: UnknownValueRef,
        nullable: true,
        description: 'Why totals and ratios are null. Null when all values are known.',
        resolve: ({ before, after }) => after?.unknown ?? before?.unknown ?? null,
      }),
      unknownReserveAddress: t.field({
        type: 'Address',
        nullable: true,
        description:
          'The first reserve whose value is unknown. Null when `unknown` is null or not of a reserve.',
        resolve: ({ before, after }) => after?.unknownReserve ?? before?.unknownReserve ?? null,
      }),
    };
  },
});
