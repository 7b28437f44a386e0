import { BuildSource } from '../../../services/builds/build-source.ts';
import type { PreparedBuild } from '../../../services/builds/builds.ts';
import { requestedPlan } from '../../../services/builds/requested-plan.ts';
import { builder } from '../../builder.ts';
import { BuildActionRef, chosenAction } from './actions/actions.ts';
import { BuildOptionsRef, type GivenOptions } from './actions/build-inputs.ts';
import { PreviewResultRef } from './build.ts';
import { refusalOf } from './results/build-errors.ts';
import { BuildResultRef, planned } from './results/build-result.ts';

const ACTIONS =
  'One to six actions of one wallet, in order. Later ones see the effects of earlier ones. The `options` of an action may only have `unwrapSol`, `minSharesOut` and `slippageBps`.';
const OPTIONS =
  'Options of the transactions. A plan is strict by default: with `strict: false`, what the programs would refuse becomes a warning. `unwrapSol`, `minSharesOut` and `slippageBps` belong to the actions.';

const prepared = (
  source: BuildSource,
  actions: readonly Parameters<typeof chosenAction>[1][],
  options: GivenOptions,
): Promise<PreparedBuild> =>
  requestedPlan(
    source,
    actions.map((action) => () => chosenAction(source, action)),
    options,
  );

builder.mutationField('buildPlan', (t) =>
  t.field({
    type: BuildResultRef,
    description:
      'Builds up to six actions in order as one plan. Set-up and refreshes are shared. One transaction where everything fits, otherwise several. A plan that cannot work names the step and builds nothing.',
    args: {
      actions: t.arg({ type: [BuildActionRef], required: true, description: ACTIONS }),
      options: t.arg({ type: BuildOptionsRef, description: OPTIONS }),
    },
    resolve: (_root, { actions, options }, { session, platform }) =>
      planned(() => prepared(new BuildSource(session, platform), actions, options)),
  }),
);

builder.queryField('previewPlan', (t) =>
  t.field({
    type: PreviewResultRef,
    description: 'Previews the effect of a whole plan, without building a transaction.',
    args: {
      actions: t.arg({ type: [BuildActionRef], required: true, description: ACTIONS }),
      options: t.arg({ type: BuildOptionsRef, description: OPTIONS }),
    },
    resolve: async (_root, { actions, options }, { session, platform }) => {
      try {
        return (await prepared(new BuildSource(session, platform), actions, options)).preview();
      } catch (error) {
        return refusalOf(error);
      }
    },
  }),
);
