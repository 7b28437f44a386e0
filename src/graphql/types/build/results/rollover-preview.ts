import type { RolloverFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { dateOf } from '../../obligation/debt-end.ts';
import { BorrowRolloverRef } from '../../obligation/debt-terms.ts';

export const RolloverPreviewRef = builder.objectRef<RolloverFigures>('RolloverPreview').implement({
  description: 'Rollover settings of a debt before and after a change of them, or a rollover.',
  fields: (t) => ({
    reserveAddress: t.expose('reserve', {
      type: 'Address',
      description: 'Reserve of the debt after the action.',
    }),
    before: t.field({
      type: BorrowRolloverRef,
      description: 'The settings before the action.',
      resolve: ({ termsBefore, market }) => ({ terms: termsBefore, market }),
    }),
    after: t.field({
      type: BorrowRolloverRef,
      description: 'The settings after the action.',
      resolve: ({ termsAfter, market }) => ({ terms: termsAfter, market }),
    }),
    termEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the term of the debt. Null without a term.',
      resolve: ({ endsAt }) => dateOf(endsAt),
    }),
    rolloverFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which anyone may roll the debt over after the action. Null when nobody may at the end of a term.',
      resolve: ({ rolloverFrom }) => dateOf(rolloverFrom),
    }),
  }),
});
