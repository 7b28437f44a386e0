import type { Change } from '../../../services/builds/results.ts';
import { builder } from '../../builder.ts';

export const ChangeRef = builder.objectRef<Change>('Change').implement({
  description: 'A value before and after an action.',
  fields: (t) => ({
    before: t.expose('before', {
      type: 'Decimal',
      nullable: true,
      description: 'Value before the action. Null when it does not apply or is unknown.',
    }),
    after: t.expose('after', {
      type: 'Decimal',
      nullable: true,
      description: 'Value after the action. Null when it does not apply or is unknown.',
    }),
  }),
});
