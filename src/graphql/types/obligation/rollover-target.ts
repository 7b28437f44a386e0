import {
  ROLLOVER_OBSTACLES,
  type RolloverObstacle,
  type RolloverTarget,
  rolloverObstacleInWords,
  rolloverTargets,
} from '../../../services/obligations/rollover-targets.ts';
import { builder } from '../../builder.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ObligationBorrowRef } from './obligation-parts.ts';

const RolloverObstacleRef = builder.enumType('RolloverObstacle', {
  description: 'Why the program refuses a rollover, in the order of its checks.',
  values: Object.fromEntries(
    ROLLOVER_OBSTACLES.map((each) => [each, { description: rolloverObstacleInWords(each) }]),
  ) as Record<RolloverObstacle, { description: string }>,
});

const RolloverTargetRef = builder.objectRef<RolloverTarget>('RolloverTarget').implement({
  description:
    'A reserve that lends the token of a debt, and what a rollover of the debt into it would do now.',
  fields: (t) => ({
    ...reserveFields(t, ({ reserve }) => reserve),
    obstacle: t.expose('obstacle', {
      type: RolloverObstacleRef,
      nullable: true,
      description:
        'First reason for which the program would refuse the rollover now. Null when it would accept it.',
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Debt that would be rolled over now. 0 with an obstacle.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The obstacle in words. Null without one.',
    }),
  }),
});

builder.objectFields(ObligationBorrowRef, (t) => ({
  rolloverInto: t.field({
    type: [RolloverTargetRef],
    description:
      'Reserves of the market that lend the token, by address, the reserve of the debt among them: where `buildRollOverBorrow` could move the debt now. Empty when the reserve or the market cannot be read.',
    resolve: ({ stored, record }, _args, { session }) => rolloverTargets(session, record, stored),
  }),
}));
