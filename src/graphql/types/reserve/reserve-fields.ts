import type { Address } from '@solana/kit';
import type { BuilderTypes } from '../../builder.ts';
import { ReserveRef, reserveLink } from '../../node-refs.ts';

type FieldsOf<Parent> = PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Parent>;

/** The two fields of everything that names a reserve: its address, which always works, and the reserve itself. */
export function reserveFields<Parent>(
  t: FieldsOf<Parent>,
  reserveOf: (parent: Parent) => Address,
  about = 'The reserve.',
) {
  return {
    reserveAddress: t.field({
      type: 'Address',
      description: 'Address of the reserve.',
      resolve: (parent) => reserveOf(parent),
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: `${about} Null, with an error, when it cannot be read.`,
      resolve: (parent, _args, { session }) => reserveLink(session, reserveOf(parent)),
    }),
  };
}

/** The same fields of something in the past or in the future, for which the reserve is the present one. */
export function presentReserveFields<Parent extends { readonly reserve: Address }>(t: FieldsOf<Parent>) {
  return reserveFields(t, ({ reserve }) => reserve, 'The reserve as it is now.');
}
