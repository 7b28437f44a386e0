import { harvestWithheldToMint } from '@sluice/protocol/token/withheld-instructions';
import { addChecked } from './amounts.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readMint, writeMint } from './token-state.ts';
import { collectFrom, feeConfigOf, withCollected } from './withheld-fees.ts';

/** Anyone may move withheld fees from token accounts to the mint. */
export const harvestWithheldToMintInstruction = tokenInstruction(
  harvestWithheldToMint,
  3_200,
  ({ invocation, accounts: { mint }, signers: accounts }) => {
    const state = readMint(mint, invocation.program);
    let collected = feeConfigOf(state).withheldAmount;
    for (const account of accounts) {
      collected = addChecked(collected, collectFrom(account, mint.address, invocation));
    }
    writeMint(mint, withCollected(state, collected));
  },
);
