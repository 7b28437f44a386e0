import { withdrawWithheldFromAccounts } from '@sluice/protocol/token/withheld-instructions';
import { addChecked } from './amounts.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readMint, writeTokenAccount } from './token-state.ts';
import { checkWithdrawAuthority, collectFrom, feeConfigOf, readReceiver } from './withheld-fees.ts';

/** Pays out fees directly from the accounts that withheld them, which may include the receiver. */
export const withdrawWithheldFromAccountsInstruction = tokenInstruction(
  withdrawWithheldFromAccounts,
  4_600,
  ({ invocation, accounts: { mint, destination, authority }, args: { accountCount }, signers: rest }) => {
    const { program } = invocation;
    const signerCount = Math.max(0, rest.length - accountCount);
    const signing = { authority, signers: rest.slice(0, signerCount) };
    checkWithdrawAuthority(feeConfigOf(readMint(mint, program)), signing, program);
    readReceiver(destination, mint, program);
    let collected = 0n;
    for (const account of rest.slice(signerCount)) {
      collected = addChecked(collected, collectFrom(account, mint.address, invocation));
    }
    const receiver = readReceiver(destination, mint, program);
    writeTokenAccount(destination, { ...receiver, amount: addChecked(receiver.amount, collected) });
  },
);
