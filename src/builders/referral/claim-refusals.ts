import { supportsMint, supportsTokenAccount } from '@sluice/protocol/klend/supported-extensions';
import { floorScaled } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { failedChecks } from '../../domain/price.ts';
import { isInEmergency } from '../../domain/reserve.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import { REASON_OF_CHECK } from '../lending/warnings.ts';
import { lendingError } from '../program-errors.ts';
import type { ReserveFees } from './claim-accounts.ts';

/** Why the program would refuse to pay the fees of a reserve: its error, and a sentence without the full stop. */
export interface FeeRefusal {
  readonly reserve: Address;
  readonly error: string;
  readonly reason: string;
}

/** The first refusal in the order of the program's checks; null when it pays. */
export function feeRefusal(fees: ReserveFees, moment: Moment): FeeRefusal | null {
  const { reserveAddress: reserve, market, state, symbol, extended, token, claimable } = fees;
  const refused = (error: string, reason: string): FeeRefusal => ({ reserve, error, reason });
  if (market.emergencyMode !== 0) {
    return refused('GlobalEmergencyMode', 'the market is in emergency mode and pays no fees');
  }
  if (state === null) {
    return refused('AccountNotInitialized', `the wallet has no referrer's account for the ${symbol} reserve`);
  }
  const isSupported =
    (extended === null || supportsMint(extended)) &&
    (token.account === null || supportsTokenAccount(token.account));
  if (!isSupported) {
    return refused(
      'UnsupportedTokenExtension',
      `the lending program does not support an extension of ${symbol} or of the wallet's account for it`,
    );
  }
  const price = refusedPrice(fees, moment);
  if (price !== null) return refused('ReserveStale', price);
  return claimable > 0n ? null : refused('InsufficientReferralFeesToRedeem', nothingToPay(fees));
}

/** The claim demands that the price of the reserve passes all checks, although it moves no value of an obligation. */
function refusedPrice(fees: ReserveFees, { timestamp }: Moment): string | null {
  const { reserve, symbol } = fees;
  if (isInEmergency(reserve)) return `the ${symbol} reserve is in emergency mode and has no valid price`;
  const price = priceAtRefresh(fees, reserve, timestamp);
  const failed = price && failedChecks(price);
  if (failed === null || failed.length === 0) return null;
  return `the program does not accept the price of ${symbol}: ${failed.map((check) => REASON_OF_CHECK[check]).join(', ')}`;
}

function nothingToPay({ state, symbol }: ReserveFees): string {
  const owed = floorScaled(state?.amountUnclaimedSf ?? 0n);
  return owed === 0n
    ? `the unclaimed fees of the ${symbol} reserve are less than one base unit`
    : `the ${symbol} reserve has no free liquidity to pay the fees with`;
}

/** The refusal as a sentence that names the program's error. */
export function refusalSentence({ error, reason }: FeeRefusal): string {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  // The error of an absent account is one of the framework.
  return error === 'AccountNotInitialized'
    ? sentence
    : `${sentence} The program answers ${lendingError(error).number} ${error}.`;
}
