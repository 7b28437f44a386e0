import type { Address } from '@solana/kit';
import type { Ledger } from '../../../src/demo/ledger.ts';
import { FRACTION_ONE } from '../../../src/numeric/fraction.ts';
import { Rational, ZERO } from '../../../src/numeric/rational.ts';
import { obligation } from '../../../src/programs/klend/obligation.ts';
import { reserve } from '../../../src/programs/klend/reserve.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';
import { accountIn } from '../ledger/test-ledger.ts';

const { klend } = MAINNET_PROGRAMS;

/** A deposit in base units of its token, straight from the accounts: collateral times liquidity over supply. */
export function depositUnits(ledger: Ledger, address: Address, reserveAddress: Address): Rational {
  const { deposits } = obligation.decode(accountIn(ledger, address), klend);
  const row = deposits.find(({ depositReserve }) => depositReserve === reserveAddress);
  if (row === undefined) return ZERO;
  const { liquidity, collateral } = reserve.decode(accountIn(ledger, reserveAddress), klend);
  const { accumulatedProtocolFeesSf, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = liquidity;
  const feesSf = accumulatedProtocolFeesSf + accumulatedReferrerFeesSf + pendingReferrerFeesSf;
  const totalSf = liquidity.totalAvailableAmount * FRACTION_ONE + liquidity.borrowedAmountSf - feesSf;
  return Rational.of(row.depositedAmount * totalSf, collateral.mintTotalSupply * FRACTION_ONE);
}

/** A debt in base units of its token, as of the obligation's last refresh. */
export function debtUnits(ledger: Ledger, address: Address, reserveAddress: Address): Rational {
  const { borrows } = obligation.decode(accountIn(ledger, address), klend);
  const row = borrows.find(({ borrowReserve }) => borrowReserve === reserveAddress);
  return row === undefined ? ZERO : Rational.of(row.borrowedAmountSf, FRACTION_ONE);
}
