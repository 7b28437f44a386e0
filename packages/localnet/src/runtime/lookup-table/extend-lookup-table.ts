import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { rentLamports } from '../account-store.ts';
import { InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { authorisedTable, mustBeActive } from './table-account.ts';

const MAX_ADDRESSES = 256;

export const extendLookupTable = nativeInstruction(
  2,
  2,
  (reader) => ({ added: reader.addresses() }),
  (call) => {
    const { invocation, args, account } = call;
    const table = authorisedTable(call);
    mustBeActive(call, table, 'Deactivated tables cannot be extended');
    if (table.addresses.length >= MAX_ADDRESSES) {
      const error = new InstructionError('InvalidArgument');
      failWith(invocation, 'Lookup table is full and cannot contain more addresses', error);
    }
    if (args.added.length === 0) {
      const error = new InstructionError('InvalidInstructionData');
      failWith(invocation, 'Must extend with at least one address', error);
    }
    const addresses = [...table.addresses, ...args.added];
    if (addresses.length > MAX_ADDRESSES) {
      const message = `Extended lookup table length ${addresses.length} would exceed max capacity of ${MAX_ADDRESSES}`;
      failWith(invocation, message, new InstructionError('InvalidInstructionData'));
    }
    const { slot } = invocation.clock;
    const isFirstInSlot = slot !== table.lastExtendedSlot;
    const subject = account(0);
    subject.write(
      encodeLookupTable({
        deactivationSlot: table.deactivationSlot,
        lastExtendedSlot: slot,
        lastExtendedStartIndex: isFirstInSlot ? table.addresses.length : table.lastExtendedStartIndex,
        authority: table.authority,
        addresses,
      }),
    );
    const missing = rentLamports(subject.data.length) - subject.lamports;
    if (missing <= 0n) return;
    const payer = account(2);
    if (!payer.isSigner) {
      const error = new InstructionError('MissingRequiredSignature');
      failWith(invocation, 'Payer account must be a signer', error);
    }
    invocation.invoke(
      transferLamports.encode(
        SYSTEM_PROGRAM,
        { source: payer.address, destination: subject.address },
        { lamports: missing },
      ),
    );
  },
);
