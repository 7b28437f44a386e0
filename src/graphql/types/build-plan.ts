import type { PreparedBuild } from '../../services/builds.ts';
import type { Session } from '../../services/records.ts';
import { requestedPlan } from '../../services/requested-plan.ts';
import { builder } from '../builder.ts';
import { BuildActionRef, chosenAction } from './actions/actions.ts';
import { PreviewResultRef } from './build.ts';
import { refusalOf } from './build-errors.ts';
import { BuildOptionsRef, type GivenOptions } from './build-inputs.ts';
import { BuildResultRef, planned } from './build-result.ts';

const ACTIONS =
  'One to six actions of one wallet, in order. Later ones see the effects of earlier ones. The `options` of an action may only have `unwrapSol`.';
const OPTIONS =
  'Options of the transactions. A plan is strict by default: with `strict: false`, what the programs would refuse becomes a warning. `unwrapSol` belongs to the actions.';

const prepared = (
  session: Session,
  actions: readonly Parameters<typeof chosenAction>[1][],
  options: GivenOptions,
): Promise<PreparedBuild> =>
  requestedPlan(
    session,
    actions.map((action) => () => chosenAction(session, action)),
    options,
  );

builder.mutationField('buildPlan', (t) =>
  t.field({
    type: BuildResultRef,
    nullable: false,
    description:
      'Builds up to six actions in order as one plan. Set-up and refreshes are shared. One transaction where everything fits, otherwise several. A plan that cannot work names the step and builds nothing.',
    args: {
      actions: t.arg({ type: [BuildActionRef], required: true, description: ACTIONS }),
      options: t.arg({ type: BuildOptionsRef, description: OPTIONS }),
    },
    resolve: (_root, { actions, options }, { session }) => planned(() => prepared(session, actions, options)),
  }),
);

builder.queryField('previewPlan', (t) =>
  t.field({
    type: PreviewResultRef,
    nullable: false,
    description: 'Previews the effect of a whole plan, without building a transaction.',
    args: {
      actions: t.arg({ type: [BuildActionRef], required: true, description: ACTIONS }),
      options: t.arg({ type: BuildOptionsRef, description: OPTIONS }),
    },
    resolve: async (_root, { actions, options }, { session }) => {
      try {
        return (await prepared(session, actions, options)).preview();
      } catch (error) {
        return refusalOf(error);
      }
    },
  }),
);
