import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import type { PreviewAmount } from '../preview.ts';
import { SOL_DECIMALS } from '../token-instructions.ts';
import { balanceWarnings } from '../wallet-warnings.ts';
import type { BuildWarning } from '../warnings.ts';

/** SOL that new accounts of these sizes cost. The program never closes them, so it does not come back. */
export const accountRent = (sizes: readonly number[]): PreviewAmount => ({
  mint: WRAPPED_SOL_MINT,
  decimals: SOL_DECIMALS,
  amount: sizes.reduce((sum, size) => sum + rentExemptLamports(size), 0n),
});

/** @param lamports of the payer; null when they are not known */
export const rentWarnings = ({ amount }: PreviewAmount, lamports: bigint | null): BuildWarning[] =>
  lamports === null ? [] : balanceWarnings(lamports, amount, SOL_DECIMALS, 'SOL for rent');
