import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeNonceAccount, NONCE_ACCOUNT_BYTES } from '@sluice/protocol/system/nonce-account';
import { rentLamports } from '../account-store.ts';
import type { StoredAccount } from '../stored-account.ts';
import { Refusal } from './refusal.ts';
import { isRentStateAllowed } from './rent-state.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;

export function feeOf(signatures: number, priorityFee: bigint): bigint {
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFee;
}

/** The payer after the fee. */
export function chargeFee(payer: StoredAccount | undefined, fee: bigint): StoredAccount {
  if (payer === undefined || payer.lamports === 0n) throw new Refusal('AccountNotFound');
  if (payer.lamports - minimumOf(payer) < fee) throw new Refusal('InsufficientFundsForFee');
  const charged = { ...payer, lamports: payer.lamports - fee };
  if (!isRentStateAllowed(payer, charged)) {
    throw new Refusal({ InsufficientFundsForRent: { account_index: 0 } });
  }
  return charged;
}

/** Lamports that must stay. A wallet may be emptied, a nonce account may not. */
function minimumOf({ owner, data }: StoredAccount): bigint {
  if (owner !== SYSTEM_PROGRAM) throw new Refusal('InvalidAccountForFee');
  if (data.length === 0) return 0n;
  if ((decodeNonceAccount(data) ?? null) === null) throw new Refusal('InvalidAccountForFee');
  return rentLamports(NONCE_ACCOUNT_BYTES);
}
