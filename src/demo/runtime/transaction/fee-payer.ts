import { SYSTEM_PROGRAM } from '../../../programs/program-ids.ts';
import { decodeNonceAccount, NONCE_ACCOUNT_BYTES } from '../../../programs/system/nonce-account.ts';
import type { LedgerAccount } from '../../ledger.ts';
import { rentLamports } from '../../world/account-store.ts';
import { Refusal } from './refusal.ts';
import { isRentStateAllowed } from './rent-state.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;

export function feeOf(signatures: number, priorityFee: bigint): bigint {
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFee;
}

/** The payer after the fee. */
export function chargeFee(payer: LedgerAccount | undefined, fee: bigint): LedgerAccount {
  if (payer === undefined || payer.lamports === 0n) throw new Refusal('AccountNotFound');
  if (payer.lamports - minimumOf(payer) < fee) throw new Refusal('InsufficientFundsForFee');
  const charged = { ...payer, lamports: payer.lamports - fee };
  if (!isRentStateAllowed(payer, charged)) {
    throw new Refusal({ InsufficientFundsForRent: { account_index: 0 } });
  }
  return charged;
}

/** Lamports that must stay. A wallet may be emptied, a nonce account may not. */
function minimumOf({ owner, data }: LedgerAccount): bigint {
  if (owner !== SYSTEM_PROGRAM) throw new Refusal('InvalidAccountForFee');
  if (data.length === 0) return 0n;
  if ((decodeNonceAccount(data) ?? null) === null) throw new Refusal('InvalidAccountForFee');
  return rentLamports(NONCE_ACCOUNT_BYTES);
}
