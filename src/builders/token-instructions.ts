import { placePoint } from '@sluice/protocol/numeric/decimal';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import {
  closeAccount,
  createAssociatedTokenIdempotent,
  syncNative,
} from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { type BuiltInstruction, instruction } from './built-instruction.ts';
import type { WalletToken } from './read-accounts.ts';

export const SOL_DECIMALS = 9;

/** The owner of a new account, and the signer that pays its rent. */
export interface AccountOpening {
  readonly wallet: Address;
  readonly payer: Address;
}

/** Creates the wallet's account for a mint unless it exists. */
export function createTokenAccount(
  { wallet, payer }: AccountOpening,
  account: Address,
  mint: Address,
  tokenProgram: Address,
  what: string,
): BuiltInstruction {
  return instruction(
    createAssociatedTokenIdempotent,
    ASSOCIATED_TOKEN_PROGRAM,
    {
      payer,
      associatedToken: account,
      owner: wallet,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram,
    },
    {},
    { summary: `Create the wallet's account for ${what} unless it exists`, setup: true },
  );
}

/** Moves lamports into the wallet's wrapped-SOL account and syncs its token balance. */
export function wrapSol(wallet: Address, account: Address, lamports: bigint): BuiltInstruction[] {
  const amount = placePoint(lamports, SOL_DECIMALS);
  return [
    instruction(
      transferLamports,
      SYSTEM_PROGRAM,
      { source: wallet, destination: account },
      { lamports },
      { summary: `Move ${amount} SOL into the wallet's wrapped-SOL account` },
    ),
    instruction(syncNative, TOKEN_PROGRAM, { account }, {}, { summary: 'Sync the wrapped-SOL balance' }),
  ];
}

/** Closes one of the wallet's token accounts; its lamports go to the wallet. */
export function closeTokenAccount(wallet: Address, account: Address, summary: string): BuiltInstruction {
  return instruction(
    closeAccount,
    TOKEN_PROGRAM,
    { account, destination: wallet, owner: wallet },
    {},
    { summary },
  );
}

export function unwrapSol(wallet: Address, account: Address): BuiltInstruction {
  return closeTokenAccount(
    wallet,
    account,
    'Close the wrapped-SOL account and return its balance and rent as SOL',
  );
}

/**
 * Whether an action closes the wrapped-SOL account. The caller's choice wins. By default an inflow closes it, so the
 * wallet receives SOL; an outflow closes it only if it was absent or empty before, so existing wrapped SOL stays wrapped.
 */
export function closesWrappedSol(
  direction: 'in' | 'out',
  { account }: WalletToken,
  unwrap: boolean | undefined,
): boolean {
  return unwrap ?? (direction === 'in' || account === null || account.amount === 0n);
}
