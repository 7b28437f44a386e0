import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { nativeInstruction } from '../native.ts';
import { authorisedTable, mustBeActive } from './table-account.ts';

export const deactivateLookupTable = nativeInstruction(
  3,
  2,
  () => null,
  (call) => {
    const table = authorisedTable(call);
    mustBeActive(call, table, 'Lookup table is already deactivated');
    const { lastExtendedSlot, lastExtendedStartIndex, authority, addresses } = table;
    const deactivationSlot = call.invocation.clock.slot;
    call.account(0).write(
      encodeLookupTable({
        deactivationSlot,
        lastExtendedSlot,
        lastExtendedStartIndex,
        authority,
        addresses,
      }),
    );
  },
);
