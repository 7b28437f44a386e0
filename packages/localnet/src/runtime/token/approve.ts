import { approve, approveChecked } from '@sluice/protocol/token/account-instructions';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { checkAuthority, type Signing } from './authority.ts';
import { hasCpiGuard } from './extension-rules.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readMint, readTokenAccount, writeTokenAccount } from './token-state.ts';

interface Approval extends Signing {
  readonly source: InstructionAccount;
  readonly delegate: InstructionAccount;
  readonly amount: bigint;
  /** The mint as the caller knows it; null when the instruction does not name it. */
  readonly mint: { readonly account: InstructionAccount; readonly decimals: number } | null;
}

export const approveInstruction = tokenInstruction(
  approve,
  2_904,
  ({ invocation, accounts: { source, delegate, owner }, args: { amount }, signers }) =>
    delegateTokens(invocation, { source, delegate, authority: owner, signers, amount, mint: null }),
);

export const approveCheckedInstruction = tokenInstruction(
  approveChecked,
  4_458,
  ({ invocation, accounts, args: { amount, decimals }, signers }) => {
    const { source, delegate, owner } = accounts;
    const mint = { account: accounts.mint, decimals };
    delegateTokens(invocation, { source, delegate, authority: owner, signers, amount, mint });
  },
);

function delegateTokens({ program, stackHeight }: Invocation, approval: Approval): void {
  const { source, delegate, amount, mint } = approval;
  const state = readTokenAccount(source, program);
  ensure(!state.frozen, TOKEN_ERROR.accountFrozen);
  if (mint !== null) {
    ensure(state.mint === mint.account.address, TOKEN_ERROR.mintMismatch);
    const { decimals } = readMint(mint.account, program);
    ensure(decimals === mint.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  }
  checkAuthority(state.owner, approval, program);
  ensure(!hasCpiGuard(state) || stackHeight === 1, TOKEN_ERROR.cpiGuardApproveBlocked);
  writeTokenAccount(source, { ...state, delegate: delegate.address, delegatedAmount: amount });
}
