import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';

/** The signer that pays the fee and the rent of new accounts. A caller names one only if it is not the wallet. */
export function feePayerOf(given: Address | undefined, wallet: Address): Address {
  if (given !== wallet) return given ?? wallet;
  const reason = 'it is the wallet, which pays by default; omit it, or name another signer';
  throw new SluiceError('FEE_PAYER_INVALID', { reason });
}
