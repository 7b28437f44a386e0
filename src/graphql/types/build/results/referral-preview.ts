import type { PreviewReferralFee, ReferrerFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { ChangeRef } from '../../values/change.ts';
import { amountOf } from './preview-amount.ts';

export const PreviewReferralFeeRef = builder.objectRef<PreviewReferralFee>('PreviewReferralFee').implement({
  description: 'Referral fees that a reserve pays, with the rounding of the program.',
  fields: (t) => ({
    reserve: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    amount: t.field({
      type: TokenAmountRef,
      description: 'Amount that the wallet receives.',
      resolve: (fee, _args, context) => amountOf(fee, context),
    }),
    unclaimed: t.expose('unclaimed', {
      type: ChangeRef,
      description: 'What the reserve owes the wallet, in whole tokens.',
    }),
  }),
});

export const ReferrerPreviewRef = builder.objectRef<ReferrerFigures>('ReferrerPreview').implement({
  description: 'Accounts that an action opens for a referrer, or for a wallet that names one.',
  fields: (t) => ({
    referrer: t.expose('referrer', { type: 'Address', description: 'The referrer.' }),
    registers: t.exposeBoolean('registers', {
      description: 'Whether the action registers the wallet with the lending program.',
    }),
    reserves: t.field({
      type: ['Address'],
      description: 'Reserves in which the referrer gets an account for its fees.',
      resolve: ({ reserves }) => [...reserves],
    }),
    rent: t.field({
      type: TokenAmountRef,
      description: 'SOL that the fee payer pays as rent. The program never closes these accounts.',
      resolve: ({ rent }, _args, context) => amountOf(rent, context),
    }),
  }),
});
