import { burn, burnChecked } from '@sluice/protocol/token/supply-instructions';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { subtractChecked } from './amounts.ts';
import { checkSpender, isOwnedByNobody, type Signing } from './authority.ts';
import { hasCpiGuard, isPaused, permanentDelegateOf } from './extension-rules.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readMint, readTokenAccount, writeMint, writeTokenAccount } from './token-state.ts';

interface Burning extends Signing {
  readonly account: InstructionAccount;
  readonly mint: InstructionAccount;
  readonly amount: bigint;
  /** Null when the caller does not say. */
  readonly decimals: number | null;
}

export const burnInstruction = tokenInstruction(
  burn,
  4_753,
  ({ invocation, accounts, args: { amount }, signers }) =>
    burnTokens(invocation, { ...accounts, signers, amount, decimals: null }),
);

export const burnCheckedInstruction = tokenInstruction(
  burnChecked,
  4_789,
  ({ invocation, accounts, args: { amount, decimals }, signers }) =>
    burnTokens(invocation, { ...accounts, signers, amount, decimals }),
);

function burnTokens(invocation: Invocation, burning: Burning): void {
  const { program, stackHeight } = invocation;
  const { account, mint, amount, decimals, authority } = burning;
  const from = readTokenAccount(account, program);
  const state = readMint(mint, program);
  ensure(!from.frozen, TOKEN_ERROR.accountFrozen);
  ensure(from.nativeRentLamports === null, TOKEN_ERROR.nativeNotSupported);
  ensure(from.amount >= amount, TOKEN_ERROR.insufficientFunds);
  ensure(from.mint === mint.address, TOKEN_ERROR.mintMismatch);
  ensure(decimals === null || decimals === state.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  ensure(!isPaused(state), TOKEN_ERROR.mintPaused);
  const guarded = hasCpiGuard(from) && stackHeight > 1 && authority.address === from.owner;
  ensure(!guarded, TOKEN_ERROR.cpiGuardBurnBlocked);
  const delegation = isOwnedByNobody(from)
    ? {}
    : checkSpender(from, amount, burning, permanentDelegateOf(state), invocation);
  writeTokenAccount(account, { ...from, ...delegation, amount: from.amount - amount });
  writeMint(mint, { ...state, supply: subtractChecked(state.supply, amount) });
}
