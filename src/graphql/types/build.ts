import { prepare } from '../../services/builds.ts';
import { builder } from '../builder.ts';
import { BuildActionRef, chosenAction } from './actions/actions.ts';
import { REFUSAL_REFS, refusalOf } from './build-errors.ts';
import { PreviewRef } from './preview.ts';

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
    nullable: false,
    description: 'Previews the effect of an action on the position, without building a transaction.',
    args: { action: t.arg({ type: BuildActionRef, required: true, description: 'The action.' }) },
    resolve: async (_root, args, { session }) => {
      try {
        const { action, options } = await chosenAction(session, args.action);
        return (await prepare(session, action, options)).preview();
      } catch (error) {
        return refusalOf(error);
      }
    },
  }),
);
