import { addressWithBump, seed } from '@sluice/protocol/layout/pda';
import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { allocate, assign } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { rentLamports } from '../account-store.ts';
import { InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { isRecentSlot } from './deactivation.ts';

export const createLookupTable = nativeInstruction(
  0,
  3,
  (reader) => ({ recentSlot: reader.u64(), bump: reader.u8() }),
  ({ invocation, args: { recentSlot, bump }, account }) => {
    const [table, authority, payer] = [account(0), account(1), account(2)];
    if (table.data.length > 0) {
      const error = new InstructionError('AccountAlreadyInitialized');
      failWith(invocation, 'Table account must not be allocated', error);
    }
    if (!payer.isSigner) {
      const error = new InstructionError('MissingRequiredSignature');
      failWith(invocation, 'Payer account must be a signer', error);
    }
    if (!isRecentSlot(recentSlot, invocation.clock.slot)) {
      const error = new InstructionError('InvalidInstructionData');
      failWith(invocation, `${recentSlot} is not a recent slot`, error);
    }
    const slotSeed = Buffer.alloc(8);
    slotSeed.writeBigUInt64LE(recentSlot);
    const derived = addressWithBump(LOOKUP_TABLE_PROGRAM, bump, seed(authority.address), slotSeed);
    if (derived === null) throw new InstructionError('InvalidSeeds');
    if (derived !== table.address) {
      const message = `Table address must match derived address: ${derived}`;
      failWith(invocation, message, new InstructionError('InvalidArgument'));
    }
    const data = encodeLookupTable({
      deactivationSlot: null,
      lastExtendedSlot: 0n,
      lastExtendedStartIndex: 0,
      authority: authority.address,
      addresses: [],
    });
    const missing = rentLamports(data.length) - table.lamports;
    if (missing > 0n) {
      invocation.invoke(
        transferLamports.encode(
          SYSTEM_PROGRAM,
          { source: payer.address, destination: table.address },
          { lamports: missing },
        ),
      );
    }
    const space = BigInt(data.length);
    invocation.invoke(allocate.encode(SYSTEM_PROGRAM, { account: derived }, { space }), [derived]);
    invocation.invoke(assign.encode(SYSTEM_PROGRAM, { account: derived }, { owner: LOOKUP_TABLE_PROGRAM }), [
      derived,
    ]);
    table.write(data);
  },
);
