import { decodeLookupTable, type LookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { LOOKUP_TABLE_PROGRAM } from '@sluice/protocol/program-ids';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import { failWith, type NativeCall } from '../native.ts';

/** The table in first place, once its authority, in second place, has signed. */
export function authorisedTable({ invocation, account }: NativeCall<unknown>): LookupTable {
  const [subject, authority] = [account(0), account(1)];
  if (subject.owner !== LOOKUP_TABLE_PROGRAM) throw new InstructionError('InvalidAccountOwner');
  if (!authority.isSigner) {
    failWith(
      invocation,
      'Authority account must be a signer',
      new InstructionError('MissingRequiredSignature'),
    );
  }
  const table = tableOf(subject);
  if (table.authority === null) {
    failWith(invocation, 'Lookup table is frozen', new InstructionError('Immutable'));
  }
  if (table.authority !== authority.address) throw new InstructionError('IncorrectAuthority');
  return table;
}

export function mustBeActive(
  { invocation }: NativeCall<unknown>,
  { deactivationSlot }: LookupTable,
  message: string,
): void {
  if (deactivationSlot !== null) failWith(invocation, message, new InstructionError('InvalidArgument'));
}

function tableOf(account: InstructionAccount): LookupTable {
  try {
    return decodeLookupTable(account);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new InstructionError(account.data.length < 4 ? 'InvalidAccountData' : 'UninitializedAccount');
  }
}
