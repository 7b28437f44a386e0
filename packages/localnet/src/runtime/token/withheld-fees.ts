import { viewOf } from '@sluice/protocol/layout/account';
import { u64 } from '@sluice/protocol/layout/codec';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import {
  readTransferFeeConfig,
  TRANSFER_FEE_CONFIG,
  type TransferFeeConfig,
} from '@sluice/protocol/token/extensions';
import type { Mint } from '@sluice/protocol/token/mint';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { checkAuthority, type Signing } from './authority.ts';
import { withExtension, withheldOf, withWithheld } from './extension-rules.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { readTokenAccount, writeTokenAccount } from './token-state.ts';

/** Offset of the mint's withheld amount in its transfer fee configuration, after two authorities. */
const WITHHELD_OFFSET = 64;

export function feeConfigOf(mint: Mint): TransferFeeConfig {
  const config = readTransferFeeConfig(mint.extensions);
  if (config === null) throw new InstructionError('InvalidAccountData');
  return config;
}

/** The mint with another amount of fees collected in it. */
export function withCollected(mint: Mint, amount: bigint): Mint {
  const extension = mint.extensions.find(({ type }) => type === TRANSFER_FEE_CONFIG);
  const data = new Uint8Array(extension?.data ?? []);
  u64.write(viewOf(data), WITHHELD_OFFSET, amount);
  return { ...mint, extensions: withExtension(mint, 'transferFeeConfig', data) };
}

export function checkWithdrawAuthority(config: TransferFeeConfig, signing: Signing, program: Address): void {
  ensure(config.withdrawAuthority !== NO_ADDRESS, TOKEN_ERROR.noAuthorityExists);
  checkAuthority(config.withdrawAuthority, signing, program);
}

/** The account that receives collected fees. */
export function readReceiver(
  account: InstructionAccount,
  mint: InstructionAccount,
  program: Address,
): TokenAccount {
  const state = readTokenAccount(account, program);
  ensure(state.mint === mint.address, TOKEN_ERROR.mintMismatch);
  ensure(!state.frozen, TOKEN_ERROR.accountFrozen);
  return state;
}

/** Takes the withheld fees out of an account. One that has none to give is passed over with a message. */
export function collectFrom(
  account: InstructionAccount,
  mint: Address,
  { program, log }: Invocation,
): bigint {
  const state = readable(account, program);
  const withheld = state === null || state.mint !== mint ? null : withheldOf(state);
  if (state === null || withheld === null) {
    log(`Error harvesting from ${account.address}`);
    return 0n;
  }
  writeTokenAccount(account, withWithheld(state, 0n));
  return withheld;
}

function readable(account: InstructionAccount, program: Address): TokenAccount | null {
  try {
    return readTokenAccount(account, program);
  } catch (error) {
    if (error instanceof InstructionError) return null;
    throw error;
  }
}
