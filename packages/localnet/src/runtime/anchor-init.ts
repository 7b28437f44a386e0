import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { allocate, assign, createAccount } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { rentLamports } from './account-store.ts';
import type { InstructionAccount } from './instruction-account.ts';
import type { Invocation } from './program.ts';

/** `init`: creates a rent-exempt account of the running program at an address derived from it, filled with zeros. */
export function initAccount(
  invocation: Invocation,
  payer: InstructionAccount,
  account: InstructionAccount,
  space: number,
): void {
  const lamports = rentLamports(space);
  const size = BigInt(space);
  const owner = invocation.program;
  const signers = [account.address];
  if (account.lamports === 0n) {
    const accounts = { payer: payer.address, newAccount: account.address };
    const args = { lamports, space: size, owner };
    invocation.invoke(createAccount.encode(SYSTEM_PROGRAM, accounts, args), signers);
    return;
  }
  // Somebody has sent lamports to the address, so the system program would refuse to create it.
  if (account.lamports < lamports) {
    const accounts = { source: payer.address, destination: account.address };
    const missing = lamports - account.lamports;
    invocation.invoke(transferLamports.encode(SYSTEM_PROGRAM, accounts, { lamports: missing }));
  }
  const accounts = { account: account.address };
  invocation.invoke(allocate.encode(SYSTEM_PROGRAM, accounts, { space: size }), signers);
  invocation.invoke(assign.encode(SYSTEM_PROGRAM, accounts, { owner }), signers);
}
