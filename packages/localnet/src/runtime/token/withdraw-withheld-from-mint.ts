import { withdrawWithheldFromMint } from '@sluice/protocol/token/withheld-instructions';
import { addChecked } from './amounts.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readMint, writeMint, writeTokenAccount } from './token-state.ts';
import { checkWithdrawAuthority, feeConfigOf, readReceiver, withCollected } from './withheld-fees.ts';

/** Pays out the fees that were moved to the mint. */
export const withdrawWithheldFromMintInstruction = tokenInstruction(
  withdrawWithheldFromMint,
  4_100,
  ({ invocation: { program }, accounts: { mint, destination, authority }, signers }) => {
    const state = readMint(mint, program);
    const config = feeConfigOf(state);
    checkWithdrawAuthority(config, { authority, signers }, program);
    const receiver = readReceiver(destination, mint, program);
    const amount = addChecked(receiver.amount, config.withheldAmount);
    writeMint(mint, withCollected(state, 0n));
    writeTokenAccount(destination, { ...receiver, amount });
  },
);
