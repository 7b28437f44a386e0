import { BuildSource } from '../../../services/builds/build-source.ts';
import { prepare } from '../../../services/builds/builds.ts';
import { builder } from '../../builder.ts';
import { BuildActionRef, chosenAction } from './actions/actions.ts';
import { REFUSAL_REFS, refusalOf } from './results/build-errors.ts';
import { PreviewRef } from './results/preview.ts';

export const PreviewResultRef = builder.unionType('PreviewResult', {
  description: 'Result of `preview`: a preview, or the error that prevented it.',
  types: [PreviewRef, ...REFUSAL_REFS],
});

builder.mutationType({
  description:
    'Builders, which return unsigned transactions for a wallet to sign and change no state, and `sendTransaction`, which relays what a wallet has signed. The gateway never signs.',
});

builder.queryField('preview', (t) =>
  t.field({
    type: PreviewResultRef,
    description: 'Previews the effect of an action on the position, without building a transaction.',
    args: { action: t.arg({ type: BuildActionRef, required: true, description: 'The action.' }) },
    resolve: async (_root, args, { session, platform }) => {
      try {
        const source = new BuildSource(session, platform);
        const { action, options } = await chosenAction(source, args.action);
        return (await prepare(source, action, options)).preview();
      } catch (error) {
        return refusalOf(error);
      }
    },
  }),
);
