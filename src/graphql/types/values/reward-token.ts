import type { Address } from '@solana/kit';
import type { BuilderTypes } from '../../builder.ts';
import { TokenRef, tokenLink } from '../../node-refs.ts';

/** The token of a reward, by its mint. */
export function rewardToken<Parent>(
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Parent>,
  mintOf: (reward: Parent) => Address,
) {
  return t.field({
    type: TokenRef,
    nullable: true,
    description: 'The reward token. Null, with an error, when its mint cannot be read.',
    resolve: (reward, _args, { session }) => tokenLink(session, mintOf(reward)),
  });
}
