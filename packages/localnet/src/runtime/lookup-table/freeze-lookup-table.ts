import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { authorisedTable, mustBeActive } from './table-account.ts';

export const freezeLookupTable = nativeInstruction(
  1,
  2,
  () => null,
  (call) => {
    const table = authorisedTable(call);
    mustBeActive(call, table, 'Deactivated tables cannot be frozen');
    if (table.addresses.length === 0) {
      const error = new InstructionError('InvalidInstructionData');
      failWith(call.invocation, 'Empty lookup tables cannot be frozen', error);
    }
    const { deactivationSlot, lastExtendedSlot, lastExtendedStartIndex, addresses } = table;
    call.account(0).write(
      encodeLookupTable({
        deactivationSlot,
        lastExtendedSlot,
        lastExtendedStartIndex,
        authority: null,
        addresses,
      }),
    );
  },
);
