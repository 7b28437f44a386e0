import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  claimFeesAction,
  nameReferrerAction,
  setUpReferrerAction,
} from '../../../src/builders/referral/action.ts';
import { NOTHING_KNOWN, stepOn } from '../localnet/built-steps.ts';
import { LAMPORTS, ReferralBench } from '../localnet/referral-bench.ts';
import type { Trigger } from './built-warnings.ts';
import { addressNumber, MARKET, REFERRER, reserveAddress } from './lending-accounts.ts';

const { klend } = MAINNET_PROGRAMS;
const NEWCOMER = addressNumber(960);

function bench(): ReferralBench {
  const made = new ReferralBench([{}, {}]);
  const data = new Uint8Array();
  made.set(NEWCOMER, { owner: SYSTEM_PROGRAM, lamports: LAMPORTS, data, executable: false });
  return made;
}

function claim() {
  const made = bench();
  made.owe(0, FRACTION_ONE * 9n);
  const request = { wallet: REFERRER, reserves: [reserveAddress(0), reserveAddress(1)] };
  return stepOn(made, claimFeesAction(NOTHING_KNOWN, request, [])).preview().warnings;
}

function setUpWithoutFees() {
  const made = bench();
  made.changeMarket({ referralFeeBps: 0 });
  const request = { wallet: NEWCOMER, market: MARKET, reserves: [reserveAddress(0)] };
  return stepOn(made, setUpReferrerAction(NOTHING_KNOWN, request)).preview().warnings;
}

function name() {
  const made = bench();
  made.set(userMetadataAddress(klend, REFERRER).address, {
    owner: klend,
    lamports: LAMPORTS,
    data: userMetadata.encode({ owner: REFERRER }),
    executable: false,
  });
  const request = { wallet: NEWCOMER, referrer: REFERRER };
  return stepOn(made, nameReferrerAction(NOTHING_KNOWN, request)).preview().warnings;
}

export const REFERRAL_TRIGGERS: readonly Trigger[] = [
  ['REFERRAL_FEE_LEFT_OUT', 'a reserve that owes nothing', claim],
  ['REFERRAL_FEE_OFF', 'a market without referral fees', setUpWithoutFees],
  ['REFERRER_FINAL', 'a wallet that names its referrer', name],
];
