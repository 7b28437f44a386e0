import type { Address } from '@solana/kit';
import type { BuilderTypes } from '../../builder.ts';
import { ReserveRef, reserveLink } from '../../node-refs.ts';

/** The two fields of everything that names a reserve: its address, which always works, and the reserve itself. */
export function reserveFields<Parent extends { readonly reserve: Address }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Parent>,
) {
  return {
    reserveAddress: t.field({
      type: 'Address',
      description: 'Address of the reserve.',
      resolve: ({ reserve }) => reserve,
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve as it is now. Null, with an error, when it cannot be read.',
      resolve: ({ reserve }, _args, { session }) => reserveLink(session, reserve),
    }),
  };
}
