import {
  claimReferralFeesAction,
  nameReferrerAction,
  setUpReferrerAction,
} from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { BuildOptionsRef } from './build-inputs.ts';

const PAYS = 'who signs the transaction and pays its fee unless there is another fee payer.';

const SetUpReferrerInputRef = builder.inputType('SetUpReferrerInput', {
  description: 'Input of the set-up of a referrer.',
  fields: (t) => ({
    wallet: t.field({ type: 'Address', required: true, description: `The referrer, ${PAYS}` }),
    market: t.field({ type: 'Address', required: true, description: 'Address of the market.' }),
    reserves: t.field({
      type: ['Address'],
      description:
        'Reserves of the market in which the referrer gets an account for its fees. Defaults to all that lend.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const NameReferrerInputRef = builder.inputType('NameReferrerInput', {
  description: 'Input of the registration of a wallet with its referrer.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: `The wallet, not yet registered with the lending program, ${PAYS}`,
    }),
    referrer: t.field({
      type: 'Address',
      required: true,
      description: 'The referrer, who must be registered with the lending program.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const ClaimReferralFeesInputRef = builder.inputType('ClaimReferralFeesInput', {
  description: 'Input of a claim of referral fees.',
  fields: (t) => ({
    wallet: t.field({ type: 'Address', required: true, description: `The referrer, ${PAYS}` }),
    reserves: t.field({
      type: ['Address'],
      description: 'Reserves to claim from. Defaults to all that owe the wallet fees.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const REFERRAL_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'setUpReferrer',
    mutation: 'buildSetUpReferrer',
    kind: 'SET_UP_REFERRER',
    builds:
      'Builds the set-up of a referrer: its registration with the lending program, so that others can name it, and its accounts for the fees of reserves. A reserve without one gets it from the first borrower whom the wallet referred.',
    input: SetUpReferrerInputRef,
    actionOf: (source, { wallet, market, reserves }) =>
      setUpReferrerAction(source, { wallet, market, ...(reserves ? { reserves } : {}) }),
  }),
  actionField({
    name: 'nameReferrer',
    mutation: 'buildNameReferrer',
    kind: 'NAME_REFERRER',
    builds:
      'Builds the registration of a wallet with its referrer. Possible once, before the first deposit of the wallet, which would register it without a referrer.',
    input: NameReferrerInputRef,
    actionOf: (source, { wallet, referrer }) => nameReferrerAction(source, { wallet, referrer }),
  }),
  actionField({
    name: 'claimReferralFees',
    mutation: 'buildClaimReferralFees',
    kind: 'CLAIM_REFERRAL_FEES',
    builds:
      'Builds a claim of the fees that a wallet has earned as a referrer. Reserves that would refuse to pay now are left out with a warning.',
    input: ClaimReferralFeesInputRef,
    actionOf: (source, { wallet, reserves }, options) =>
      claimReferralFeesAction(source, { wallet, ...(reserves ? { reserves } : {}), ...options }),
  }),
];
