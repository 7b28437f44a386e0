import type { CheckedAction } from '../checked-action.ts';
import { balanceWith, NONE } from '../figures.ts';
import { balanceOf, feeAccountsOf, referrerOf } from '../read-back.ts';
import type { Subject } from '../subject.ts';

/** Before anything else, because a wallet names its referrer when it is registered with the lending program. */
export function nameReferrer({ wallet, liquidatable }: Subject): CheckedAction {
  return {
    kind: 'NAME_REFERRER',
    name: 'name referrer',
    prepare: () =>
      liquidatable === null
        ? { skipped: 'no other registered wallet is known' }
        : {
            mutation: 'buildNameReferrer',
            inputType: 'NameReferrerInput',
            input: { wallet, referrer: liquidatable.owner },
          },
    // The wallet is registered already.
    nothingToDo: ['BUILD_REFUSED'],
    predicted: ({ referrer }) => ({ referrer: referrer?.referrer ?? NONE }),
    readBack: async (ask) => await referrerOf(ask, wallet),
  };
}

/** Makes the wallet a referrer, and claims what it has earned as one. */
export function referrerActions({ wallet, market, borrowReserve }: Subject): readonly CheckedAction[] {
  const reserves = [borrowReserve];
  return [
    {
      kind: 'SET_UP_REFERRER',
      name: 'set up referrer',
      prepare: () => ({
        mutation: 'buildSetUpReferrer',
        inputType: 'SetUpReferrerInput',
        input: { wallet, market, reserves },
      }),
      // The account is there already.
      nothingToDo: ['BUILD_REFUSED'],
      predicted: ({ referrer }) => ({ feeAccounts: (referrer?.reserves ?? []).join(' ') }),
      readBack: async (ask, { referrer }) => {
        const opened = (await feeAccountsOf(ask, wallet)).map(({ reserveAddress }) => reserveAddress);
        return { feeAccounts: (referrer?.reserves ?? []).filter((each) => opened.includes(each)).join(' ') };
      },
    },
    {
      kind: 'CLAIM_REFERRAL_FEES',
      name: 'claim referral fees',
      prepare: () => ({
        mutation: 'buildClaimReferralFees',
        inputType: 'ClaimReferralFeesInput',
        input: { wallet },
      }),
      nothingToDo: ['NOTHING_TO_CLAIM'],
      predicted: ({ referralFees }, before) => ({ balance: balanceWith(referralFees, before) }),
      readBack: async (ask, { referralFees: [fee] }) => await balanceOf(ask, wallet, fee?.amount.token.mint),
    },
  ];
}
