import { referrerTokenStateAddress, userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { floorScaled } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { ReadFrom } from '../../chain/session/session-reads.ts';
import type { View } from '../../chain/view/view.ts';
import { claimableReferralFees } from '../../domain/referral-fees.ts';
import type { RecordOf, ReserveRecord, UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

/** What a referrer has earned in one reserve. */
export interface ReferralFees {
  readonly account: RecordOf<'referrerTokenState'>;
  readonly reserve: ReserveRecord;
}

/** The referrer's accounts in the reserves of the View, by the address of the reserve. One search finds them. */
export async function referralFees(
  session: Session,
  wallet: Address,
  from: ReadFrom = 'VIEW',
): Promise<{ readonly fees: readonly ReferralFees[]; readonly unreadable: UnreadableAccounts }> {
  const { view, programs } = session;
  const { found, unreadable } = await session.referrerStatesOf(wallet, from);
  const fees = found.flatMap((account): ReferralFees[] => {
    // The account names the token only; its address is derived from the reserve.
    const reserve = view
      .reservesOfMint(account.value.mint)
      .find(
        ({ address }) =>
          referrerTokenStateAddress(programs.klend, wallet, address).address === account.address,
      );
    return reserve === undefined ? [] : [{ account, reserve }];
  });
  return { fees: fees.sort((a, b) => (a.reserve.address < b.reserve.address ? -1 : 1)), unreadable };
}

const units = (view: View, { reserve }: ReferralFees, amount: bigint): TokenAmount =>
  reserveAmount(view, reserve, integer(amount));

/** Whole base units that the reserve owes the referrer. */
export const unclaimedFees = (view: View, fees: ReferralFees): TokenAmount =>
  units(view, fees, floorScaled(fees.account.value.amountUnclaimedSf));

/** Whole base units that the referrer has earned so far, claimed ones included. */
export const earnedFees = (view: View, fees: ReferralFees): TokenAmount =>
  units(view, fees, floorScaled(fees.account.value.amountCumulativeSf));

/** What the reserve has the free liquidity to pay now. */
export function claimableFees(view: View, fees: ReferralFees): TokenAmount {
  const accrued = Valuation.of(view).accrued(fees.reserve);
  return units(view, fees, claimableReferralFees(accrued, fees.account.value.amountUnclaimedSf));
}

/** The referrer that a wallet has named; null for none, and before its registration with the lending program. */
export async function namedReferrer(session: Session, wallet: Address): Promise<Address | null> {
  const { address } = userMetadataAddress(session.programs.klend, wallet);
  const found = await session.find('userMetadata', address);
  return found && presentAddress(found.value.referrer);
}
