import { mintTo, mintToChecked } from '@sluice/protocol/token/supply-instructions';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { addChecked } from './amounts.ts';
import { checkAuthority, type Signing } from './authority.ts';
import { hasExtension, isPaused } from './extension-rules.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readMint, readTokenAccount, writeMint, writeTokenAccount } from './token-state.ts';

interface Minting extends Signing {
  readonly mint: InstructionAccount;
  readonly account: InstructionAccount;
  readonly amount: bigint;
  /** Null when the caller does not say. */
  readonly decimals: number | null;
}

export const mintToInstruction = tokenInstruction(
  mintTo,
  4_538,
  ({ invocation, accounts, args: { amount }, signers }) =>
    mintTokens(invocation, { ...accounts, signers, amount, decimals: null }),
);

export const mintToCheckedInstruction = tokenInstruction(
  mintToChecked,
  4_545,
  ({ invocation, accounts, args: { amount, decimals }, signers }) =>
    mintTokens(invocation, { ...accounts, signers, amount, decimals }),
);

function mintTokens({ program }: Invocation, minting: Minting): void {
  const { mint, account, amount, decimals } = minting;
  const to = readTokenAccount(account, program);
  ensure(!to.frozen, TOKEN_ERROR.accountFrozen);
  ensure(to.nativeRentLamports === null, TOKEN_ERROR.nativeNotSupported);
  ensure(to.mint === mint.address, TOKEN_ERROR.mintMismatch);
  const state = readMint(mint, program);
  const suitable =
    !hasExtension(state, 'nonTransferable') ||
    (hasExtension(to, 'immutableOwner') && hasExtension(to, 'nonTransferableAccount'));
  ensure(suitable, TOKEN_ERROR.nonTransferableNeedsImmutableOwnership);
  ensure(!isPaused(state), TOKEN_ERROR.mintPaused);
  ensure(decimals === null || decimals === state.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  ensure(state.mintAuthority !== null, TOKEN_ERROR.fixedSupply);
  checkAuthority(state.mintAuthority, minting, program);
  writeTokenAccount(account, { ...to, amount: addChecked(to.amount, amount) });
  writeMint(mint, { ...state, supply: addChecked(state.supply, amount) });
}
