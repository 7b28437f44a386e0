import type { DebtTermFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { DebtEndCauseRef, dateOf } from '../../obligation/debt-end.ts';
import { BorrowRateKindRef } from '../../reserve/reserve-terms.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { amountOf } from './preview-amount.ts';

const ENDLESS = 'Null for a debt that never ends.';

export const DebtTermPreviewRef = builder.objectRef<DebtTermFigures>('DebtTermPreview').implement({
  description: 'Terms of a debt after an action that borrows, or that rolls the debt over.',
  fields: (t) => ({
    reserveAddress: t.expose('reserve', {
      type: 'Address',
      description: 'Reserve of the debt after the action.',
    }),
    rate: t.field({
      type: BorrowRateKindRef,
      description: 'Whether the rate is fixed.',
      resolve: ({ hasFixedRate }) => (hasFixedRate ? 'FIXED' : 'FLOATING'),
    }),
    borrowApr: t.expose('borrowApr', {
      type: 'Decimal',
      description: 'Rate after the action per year as a fraction, not compounded.',
    }),
    cause: t.field({
      type: DebtEndCauseRef,
      nullable: true,
      description: `Reason for which the debt ends first. ${ENDLESS}`,
      resolve: ({ end }) => end?.cause ?? null,
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: `End of the whole debt after the action. A term starts when the transaction lands, also for what was borrowed before. ${ENDLESS}`,
      resolve: ({ end }) => dateOf(end?.at ?? null),
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the debt before the action. Null without a debt or an end.',
      resolve: ({ endedAt }) => dateOf(endedAt),
    }),
    daysLeft: t.expose('daysLeft', {
      type: 'Decimal',
      nullable: true,
      description: `Days until the end. ${ENDLESS}`,
    }),
    rolloverFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which anyone may roll the debt over. Null when the owner has not allowed it, and when the market has it switched off.',
      resolve: ({ rolloverFrom }) => dateOf(rolloverFrom),
    }),
    liquidatableFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which anyone may liquidate the debt because it has ended, however healthy the loan is. Null when that never happens.',
      resolve: ({ end }) => dateOf(end?.liquidatableFrom ?? null),
    }),
    wholeFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which one such liquidation may settle all of the debt. Null when that never happens.',
      resolve: ({ end }) => dateOf(end?.wholeFrom ?? null),
    }),
    earlyRepayPenalty: t.field({
      type: TokenAmountRef,
      description: 'Cost of repaying the whole debt right after the action, on top of the debt.',
      resolve: ({ penalty }, _args, context) => amountOf(penalty, context),
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: `The end and its consequence in sentences for users. ${ENDLESS}`,
    }),
  }),
});
