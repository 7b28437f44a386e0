import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { addressBytes, readAddress } from '@sluice/protocol/layout/base58';
import { isOffCurve } from '@sluice/protocol/layout/curve';
import { derive } from '@sluice/protocol/layout/pda';
import { ASSOCIATED_TOKEN_PROGRAM, MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { putAddresses } from './address-bytes.ts';
import type { Holding, MintModel, Wallet } from './model.ts';
import { digest } from './prng.ts';
import { addHolding, newHolding } from './token-accounts.ts';

const { klend } = MAINNET_PROGRAMS;

/** An address on the curve, as a keypair has; nobody knows its private key. */
export function walletAddress(seed: string, label: string): Address {
  for (let attempt = 0; ; attempt += 1) {
    const bytes = digest(seed, 'wallet', label, attempt);
    if (!isOffCurve(bytes)) return readAddress(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  }
}

export interface WalletTraits {
  readonly cell: number;
  readonly referrer: Wallet | null;
  readonly lookupTable: Address | null;
  readonly reserved: boolean;
}

export function createWallet(address: Address, traits: WalletTraits): Wallet {
  const metadata = derive(klend, 'user_meta', addressBytes(address));
  return {
    address,
    ...traits,
    lamports: 0n,
    openingLamports: 0n,
    holdings: new Map(),
    stakes: new Map(),
    obligations: [],
    vaults: [],
    metadata: metadata.address,
    metadataBump: metadata.bump,
    hasMetadata: false,
  };
}

export function addWallet(store: AccountStore, wallet: Wallet): void {
  store.add({
    address: wallet.address,
    owner: SYSTEM_PROGRAM,
    encode: () => new Uint8Array(0),
    lamports: () => wallet.lamports,
  });
}

/** The wallet's token account, created if needed; the second value says whether it was. */
export function holdingOf(store: AccountStore, wallet: Wallet, mint: MintModel): [Holding, boolean] {
  const known = wallet.holdings.get(mint.address);
  if (known !== undefined) return [known, false];
  const address = derive(
    ASSOCIATED_TOKEN_PROGRAM,
    addressBytes(wallet.address),
    addressBytes(mint.program),
    addressBytes(mint.address),
  ).address;
  const holding = newHolding(address, mint, wallet.address);
  wallet.holdings.set(mint.address, holding);
  addHolding(store, holding);
  return [holding, true];
}

export function addUserMetadata(store: AccountStore, wallet: Wallet): void {
  wallet.hasMetadata = true;
  store.add({
    address: wallet.metadata,
    owner: klend,
    encode() {
      const data = userMetadata.encode({ bump: BigInt(wallet.metadataBump) });
      putAddresses(data, [[userMetadata.offsetOf('owner'), wallet.address]]);
      if (wallet.referrer !== null) {
        putAddresses(data, [[userMetadata.offsetOf('referrer'), wallet.referrer.address]]);
      }
      if (wallet.lookupTable !== null) {
        putAddresses(data, [[userMetadata.offsetOf('userLookupTable'), wallet.lookupTable]]);
      }
      return data;
    },
  });
}
