import { InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { isDeactivated } from './deactivation.ts';
import { authorisedTable } from './table-account.ts';

export const closeLookupTable = nativeInstruction(
  4,
  3,
  () => null,
  (call) => {
    const { invocation, account } = call;
    const [subject, recipient] = [account(0), account(2)];
    const table = authorisedTable(call);
    if (subject.address === recipient.address) {
      const error = new InstructionError('InvalidArgument');
      failWith(invocation, 'Lookup table cannot be the recipient of reclaimed lamports', error);
    }
    if (!isDeactivated(table, invocation.clock.slot)) {
      const message =
        table.deactivationSlot === null
          ? 'Lookup table is not deactivated'
          : 'Table cannot be closed until it is fully deactivated';
      failWith(invocation, message, new InstructionError('InvalidArgument'));
    }
    subject.close(recipient);
  },
);
