import type { OwnershipFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { OwnershipTransferRef } from '../../obligation/ownership-transfer.ts';

export const OwnershipPreviewRef = builder.objectRef<OwnershipFigures>('OwnershipPreview').implement({
  description: 'Owner and transfer of an obligation before and after a step of the transfer.',
  fields: (t) => ({
    obligation: t.expose('obligation', { type: 'Address', description: 'Address of the obligation.' }),
    ownerBefore: t.expose('ownerBefore', { type: 'Address', description: 'Owner before the action.' }),
    ownerAfter: t.expose('ownerAfter', { type: 'Address', description: 'Owner after the action.' }),
    before: t.expose('before', {
      type: OwnershipTransferRef,
      nullable: true,
      description: 'The transfer before the action. Null without one.',
    }),
    after: t.expose('after', {
      type: OwnershipTransferRef,
      nullable: true,
      description: 'The transfer after the action. Null without one.',
    }),
  }),
});
