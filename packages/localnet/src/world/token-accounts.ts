import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { NO_ADDRESS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import { encodeTokenAccount, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { AccountSource, AccountStore } from '../runtime/account-store.ts';
import { rentLamports } from '../runtime/account-store.ts';
import type { Holding, MintModel } from './model.ts';
import { accountExtensions } from './token-2022.ts';

/** Rent of an SPL token account. */
export const TOKEN_ACCOUNT_RENT = rentLamports(165);

export const isNative = (mint: MintModel) => mint.address === WRAPPED_SOL_MINT;

export function newHolding(address: Address, mint: MintModel, owner: Address): Holding {
  return { address, mint, owner, amount: 0n, opening: 0n };
}

export function newMint(address: Address, decimals: number, program: Address, authority: Address): MintModel {
  return {
    address,
    decimals,
    program,
    authority,
    freezeAuthority: null,
    supply: 0n,
    chargesTransferFees: false,
    extensions: [],
  };
}

export function addMint(store: AccountStore, mint: MintModel): void {
  store.add({
    address: mint.address,
    owner: mint.program,
    encode: () =>
      encodeMint({
        mintAuthority: mint.authority,
        supply: mint.supply,
        decimals: mint.decimals,
        freezeAuthority: mint.freezeAuthority,
        extensions: mint.extensions,
      }),
  });
}

const templates = new WeakMap<MintModel, Uint8Array>();

/** A token account without owner and amount: all accounts of a mint share the rest. */
function templateOf(mint: MintModel): Uint8Array {
  const known = templates.get(mint);
  if (known !== undefined) return known;
  const template = encodeTokenAccount({
    mint: mint.address,
    owner: NO_ADDRESS,
    amount: 0n,
    delegate: null,
    delegatedAmount: 0n,
    frozen: false,
    nativeRentLamports: isNative(mint) ? TOKEN_ACCOUNT_RENT : null,
    closeAuthority: null,
    extensions: accountExtensions(mint),
  });
  templates.set(mint, template);
  return template;
}

/** The size of a token account of the mint. */
export const holdingBytes = (mint: MintModel) => templateOf(mint).length;

export function addHolding(store: AccountStore, holding: Holding): void {
  const { address, mint, owner } = holding;
  const source: AccountSource = {
    address,
    owner: mint.program,
    encode(previous) {
      const data = (previous ?? templateOf(mint)).slice();
      if (previous === undefined) data.set(addressBytes(owner), TOKEN_ACCOUNT_OFFSETS.owner);
      viewOf(data).setBigUint64(TOKEN_ACCOUNT_OFFSETS.amount, holding.amount, true);
      return data;
    },
  };
  store.add(isNative(mint) ? { ...source, lamports: () => TOKEN_ACCOUNT_RENT + holding.amount } : source);
}
