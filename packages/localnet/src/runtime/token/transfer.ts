import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { readTransferFeeConfig } from '@sluice/protocol/token/extensions';
import { transferCheckedWithFee } from '@sluice/protocol/token/fee-instructions';
import { transfer, transferChecked } from '@sluice/protocol/token/instructions';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { addChecked } from './amounts.ts';
import { checkSpender, type Signing } from './authority.ts';
import {
  hasCpiGuard,
  hasExtension,
  isPaused,
  permanentDelegateOf,
  requiresMemo,
  transferHookOf,
  withheldOf,
  withWithheld,
} from './extension-rules.ts';
import { checkMemo } from './memo-before-transfer.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { checkOwnedByProgram, readMint, readTokenAccount, writeTokenAccount } from './token-state.ts';
import { transferFeeOf } from './transfer-fee.ts';

interface Transfer extends Signing {
  readonly source: InstructionAccount;
  readonly destination: InstructionAccount;
  readonly amount: bigint;
  /** The mint as the caller knows it; null when the instruction does not name it. */
  readonly mint: { readonly account: InstructionAccount; readonly decimals: number } | null;
  /** The fee that the caller expects; null when any will do. */
  readonly fee: bigint | null;
}

/** Demands of the mint on a transfer. */
interface MintTerms {
  readonly fee: bigint;
  readonly permanentDelegate: Address | null;
  readonly hook: Address | null;
}

export const transferInstruction = tokenInstruction(
  transfer,
  4_645,
  ({ invocation, accounts: { source, destination, owner }, args, signers }) =>
    moveTokens(invocation, {
      source,
      destination,
      authority: owner,
      signers,
      amount: args.amount,
      mint: null,
      fee: null,
    }),
);

export const transferCheckedInstruction = tokenInstruction(
  transferChecked,
  6_200,
  ({ invocation, accounts: { source, mint, destination, owner }, args, signers }) =>
    moveTokens(invocation, {
      source,
      destination,
      authority: owner,
      signers,
      amount: args.amount,
      mint: { account: mint, decimals: args.decimals },
      fee: null,
    }),
);

export const transferCheckedWithFeeInstruction = tokenInstruction(
  transferCheckedWithFee,
  6_600,
  ({ invocation, accounts: { source, mint, destination, owner }, args, signers }) =>
    moveTokens(invocation, {
      source,
      destination,
      authority: owner,
      signers,
      amount: args.amount,
      mint: { account: mint, decimals: args.decimals },
      fee: args.fee,
    }),
);

function moveTokens(invocation: Invocation, move: Transfer): void {
  const { program, stackHeight } = invocation;
  const { source, destination, amount, authority } = move;
  const from = readTokenAccount(source, program);
  // SPL Token looks at the receiver first, Token-2022 last: a transfer with two faults gets the first one's number.
  const early = program === TOKEN_PROGRAM ? readTokenAccount(destination, program) : null;
  if (early === null) checkOwnedByProgram(destination, program);
  ensure(!from.frozen && early?.frozen !== true, TOKEN_ERROR.accountFrozen);
  ensure(from.amount >= amount, TOKEN_ERROR.insufficientFunds);
  ensure(early === null || early.mint === from.mint, TOKEN_ERROR.mintMismatch);
  ensure(!hasExtension(from, 'nonTransferableAccount'), TOKEN_ERROR.nonTransferable);
  const { fee, permanentDelegate, hook } = termsOf(invocation, move, from);
  if (move.fee !== null) ensure(move.fee === fee, TOKEN_ERROR.feeMismatch);
  const guarded = hasCpiGuard(from) && stackHeight > 1 && authority.address === from.owner;
  ensure(!guarded, TOKEN_ERROR.cpiGuardTransferBlocked);
  const delegation = checkSpender(from, amount, move, permanentDelegate, invocation);

  if (source.address === destination.address) {
    if (requiresMemo(from)) checkMemo(invocation);
    return;
  }
  const to = early ?? readTokenAccount(destination, program);
  ensure(!to.frozen, TOKEN_ERROR.accountFrozen);
  ensure(to.mint === from.mint, TOKEN_ERROR.mintMismatch);
  if (requiresMemo(to)) checkMemo(invocation);

  writeTokenAccount(source, { ...from, ...delegation, amount: from.amount - amount });
  writeTokenAccount(destination, withFee({ ...to, amount: addChecked(to.amount, amount - fee) }, fee));
  if (from.nativeRentLamports !== null) {
    source.takeLamports(amount);
    destination.addLamports(amount);
  }
  if (hook !== null) invocation.invoke(hookCall(hook, move));
}

function termsOf({ program, clock }: Invocation, { mint, amount }: Transfer, from: TokenAccount): MintTerms {
  if (mint === null) {
    const needsMint = (['transferHookAccount', 'transferFeeAmount', 'pausableAccount'] as const).some(
      (name) => hasExtension(from, name),
    );
    ensure(!needsMint, TOKEN_ERROR.mintRequiredForTransfer);
    return { fee: 0n, permanentDelegate: null, hook: null };
  }
  ensure(from.mint === mint.account.address, TOKEN_ERROR.mintMismatch);
  const state = readMint(mint.account, program);
  ensure(state.decimals === mint.decimals, TOKEN_ERROR.mintDecimalsMismatch);
  ensure(!isPaused(state), TOKEN_ERROR.mintPaused);
  const config = readTransferFeeConfig(state.extensions);
  return {
    fee: config === null ? 0n : transferFeeOf(config, amount, clock),
    permanentDelegate: permanentDelegateOf(state),
    hook: transferHookOf(state),
  };
}

function withFee(to: TokenAccount, fee: bigint): TokenAccount {
  if (fee === 0n) return to;
  const withheld = withheldOf(to);
  ensure(withheld !== null, TOKEN_ERROR.invalidState);
  return withWithheld(to, addChecked(withheld, fee));
}

/** First bytes of the instruction "execute" of every transfer hook. */
const EXECUTE = [105, 37, 101, 197, 75, 251, 102, 26];

function hookCall(hook: Address, { source, mint, destination, authority, signers, amount }: Transfer) {
  const data = Buffer.alloc(16);
  data.set(EXECUTE);
  data.writeBigUInt64LE(amount, 8);
  const named = [source, ...(mint === null ? [] : [mint.account]), destination, authority];
  const accounts: AccountMeta[] = [...named, ...signers].map(({ address }) => ({
    address,
    role: AccountRole.READONLY,
  }));
  return { programAddress: hook, accounts, data: Uint8Array.from(data) };
}
