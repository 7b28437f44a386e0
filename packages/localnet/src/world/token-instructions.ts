import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { derive } from '@sluice/protocol/layout/pda';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import {
  closeAccount,
  createAssociatedTokenIdempotent,
  syncNative,
  transferChecked,
} from '@sluice/protocol/token/instructions';
import { burn, mintTo } from '@sluice/protocol/token/supply-instructions';
import type { Address } from '@solana/kit';
import type { MintModel, Wallet } from './model.ts';
import { isNative } from './token-accounts.ts';

export function moveTokens(
  mint: MintModel,
  source: Address,
  destination: Address,
  owner: Address,
  amount: bigint,
): EncodedInstruction {
  const accounts = { source, mint: mint.address, destination, owner };
  return transferChecked.encode(mint.program, accounts, { amount, decimals: mint.decimals });
}

export function mintTokens(
  mint: MintModel,
  account: Address,
  authority: Address,
  amount: bigint,
): EncodedInstruction {
  return mintTo.encode(mint.program, { mint: mint.address, account, authority }, { amount });
}

export function burnTokens(
  mint: MintModel,
  account: Address,
  authority: Address,
  amount: bigint,
): EncodedInstruction {
  return burn.encode(mint.program, { account, mint: mint.address, authority }, { amount });
}

/**
 * A wallet's token account. Its address is derived when it does not exist, which is always so for wrapped
 * SOL.
 */
export function accountOf(wallet: Wallet, mint: MintModel): Address {
  const known = wallet.holdings.get(mint.address)?.address;
  if (known !== undefined) return known;
  const owner = addressBytes(wallet.address);
  return derive(ASSOCIATED_TOKEN_PROGRAM, owner, addressBytes(mint.program), addressBytes(mint.address))
    .address;
}

export function openAccount(payer: Wallet, owner: Wallet, mint: MintModel): EncodedInstruction {
  return createAssociatedTokenIdempotent.encode(
    ASSOCIATED_TOKEN_PROGRAM,
    {
      payer: payer.address,
      associatedToken: accountOf(owner, mint),
      owner: owner.address,
      mint: mint.address,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: mint.program,
    },
    {},
  );
}

/** Wraps SOL before an action that takes tokens. */
export function wrapIfNative(wallet: Wallet, mint: MintModel, amount: bigint): EncodedInstruction[] {
  if (!isNative(mint)) return [];
  const account = accountOf(wallet, mint);
  return [
    openAccount(wallet, wallet, mint),
    transferLamports.encode(
      SYSTEM_PROGRAM,
      { source: wallet.address, destination: account },
      { lamports: amount },
    ),
    syncNative.encode(mint.program, { account }, {}),
  ];
}

/** Returns the rest of the wrapped SOL to the wallet after an action. */
export function unwrapIfNative(wallet: Wallet, mint: MintModel): EncodedInstruction[] {
  if (!isNative(mint)) return [];
  const accounts = { account: accountOf(wallet, mint), destination: wallet.address, owner: wallet.address };
  return [closeAccount.encode(mint.program, accounts, {})];
}
