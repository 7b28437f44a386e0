import { viewOf } from '@sluice/protocol/layout/account';
import { publicKey } from '@sluice/protocol/layout/codec';
import { presentAddress } from '@sluice/protocol/program-ids';
import {
  type Extension,
  readTransferFeeConfig,
  TOKEN_METADATA,
  TRANSFER_FEE_CONFIG,
} from '@sluice/protocol/token/extensions';
import type { Mint } from '@sluice/protocol/token/mint';
import { ensure } from '../anchor.ts';
import { FARM } from './farm-errors.ts';

const MINT_CLOSE_AUTHORITY = 3;
const CONFIDENTIAL_TRANSFER_MINT = 4;
const DEFAULT_ACCOUNT_STATE = 6;
const PERMANENT_DELEGATE = 12;
const TRANSFER_HOOK = 14;
const CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16;
const METADATA_POINTER = 18;

const INITIALIZED = 1;

const ALLOWED = new Set([
  TRANSFER_FEE_CONFIG,
  MINT_CLOSE_AUTHORITY,
  CONFIDENTIAL_TRANSFER_MINT,
  DEFAULT_ACCOUNT_STATE,
  PERMANENT_DELEGATE,
  TRANSFER_HOOK,
  CONFIDENTIAL_TRANSFER_FEE_CONFIG,
  METADATA_POINTER,
  TOKEN_METADATA,
]);

/** Refuses Token-2022 mints whose transfers cost a fee, call a program or start frozen. */
export function checkRewardMint({ extensions }: Mint): void {
  for (const extension of extensions) {
    ensure(ALLOWED.has(extension.type) && !takesEffect(extension), FARM.unsupportedTokenExtension);
  }
  const fees = readTransferFeeConfig(extensions);
  const isFree = fees === null || (fees.older.basisPoints === 0 && fees.newer.basisPoints === 0);
  ensure(isFree, FARM.unsupportedTokenExtension);
}

function takesEffect({ type, data }: Extension): boolean {
  // The hook's program follows the authority.
  if (type === TRANSFER_HOOK) return presentAddress(publicKey.read(viewOf(data), 32)) !== null;
  return type === DEFAULT_ACCOUNT_STATE && data[0] !== INITIALIZED;
}
