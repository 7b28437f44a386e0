import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { VaultRecord } from '../request/records.ts';
import { displayText } from './display-text.ts';
import { tokenNames } from './tokens.ts';
import { isNameVerified } from './verified-name.ts';

/** Metadata of a vault's shares, for wallets. */
export interface ShareMetadata {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  /** Absolute. */
  readonly imageUrl: string;
}

const UNVERIFIED = ' The name of the vault is not verified.';

/** REST path of the icon. */
const IMAGE_PATH = (mint: Address) => `/kvaults/mints/${mint}/metadata/image.svg`;

export function shareMetadata(view: View, vault: VaultRecord, baseUrl: string): ShareMetadata {
  const { value } = vault;
  const { name, symbol } = tokenNames(view, value.sharesMint);
  const token = displayText(tokenNames(view, value.tokenMint).symbol);
  return {
    name,
    symbol,
    description: `Shares of the earn vault ${displayText(name)}. Each share represents a part of the ${token} that the vault lends, including earned interest.${isNameVerified(view, vault) ? '' : UNVERIFIED}`,
    imageUrl: `${baseUrl}${IMAGE_PATH(value.sharesMint)}`,
  };
}

/** The vault of a share mint. */
export function vaultOfSharesMint(view: View, mint: Address): VaultRecord {
  const vault = view.vaultOfShares(mint);
  if (vault === undefined)
    throw new SluiceError('ACCOUNT_NOT_FOUND', { account: 'mint of vault shares', address: mint });
  return vault;
}
