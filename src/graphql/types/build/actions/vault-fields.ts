import type { BuilderTypes } from '../../../builder.ts';
import { BuildOptionsRef } from './build-inputs.ts';

/** The fields of every input of a vault action but its amount. */
export function vaultFields(t: PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>) {
  return {
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Owner of the shares, who signs the transaction and pays its fee unless there is another fee payer.',
    }),
    vault: t.field({ type: 'Address', required: true, description: 'Address of the vault.' }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  };
}
