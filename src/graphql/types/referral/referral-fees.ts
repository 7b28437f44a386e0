import * as referrals from '../../../services/wallets/referral-fees.ts';
import { builder } from '../../builder.ts';
import { WalletRef } from '../../node-refs.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const ReferralFeesRef = builder.objectRef<referrals.ReferralFees>('ReferralFees').implement({
  description:
    'Fees that a wallet has earned in one reserve as the referrer of others: a share of the fees that the protocol takes from their debts.',
  fields: (t) => ({
    address: t.field({
      type: 'Address',
      description: "Address of the referrer's account for the reserve.",
      resolve: ({ account }) => account.address,
    }),
    ...reserveFields(t, ({ reserve }) => reserve.address),
    unclaimed: t.field({
      type: TokenAmountRef,
      description:
        'Fees that the reserve owes the wallet, in whole base units. Debts add their part when they are refreshed.',
      resolve: (fees, _args, { session }) => referrals.unclaimedFees(session.view, fees),
    }),
    claimable: t.field({
      type: TokenAmountRef,
      description:
        'Part of `unclaimed` for which the reserve has free liquidity now. A claim also demands an accepted price, and a market that is not in emergency mode.',
      resolve: (fees, _args, { session }) => referrals.claimableFees(session.view, fees),
    }),
    earned: t.field({
      type: TokenAmountRef,
      description: 'All fees so far, claimed ones included, in whole base units.',
      resolve: (fees, _args, { session }) => referrals.earnedFees(session.view, fees),
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  referrer: t.field({
    type: 'Address',
    nullable: true,
    description:
      'Referrer that the wallet named when it was registered with the lending program. Null when it has none or is not registered; null with an error when that cannot be read.',
    resolve: ({ address }, _args, { session }) => referrals.namedReferrer(session, address),
  }),
  referralFees: t.field({
    type: [ReferralFeesRef],
    nullable: true,
    description:
      'Fees that the wallet has earned as a referrer, one per reserve in which it has an account for them. Null, with an error, when they cannot be read.',
    resolve: async ({ address }, _args, { session, warnings }, info) => {
      const { fees, unreadable } = await referrals.referralFees(session, address);
      warnings.leftOut(info, unreadable);
      return [...fees];
    },
  }),
}));
