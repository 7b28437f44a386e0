import { builder } from '../../../builder.ts';

export const PriorityLevelRef = builder.enumType('PriorityLevel', {
  description:
    'Price per compute unit, compared with the prices that were enough to write to the same accounts in the last 150 slots or so. At most 10,000,000 micro-lamports.',
  values: {
    LOW: { description: 'The 25th percentile of those prices.' },
    MEDIUM: { description: 'The median of those prices.' },
    HIGH: { description: 'The 90th percentile of those prices.' },
  } as const,
});

export const DurableNonceInputRef = builder.inputType('DurableNonceInput', {
  description: 'A nonce account that takes the place of a recent blockhash.',
  fields: (t) => ({
    account: t.field({ type: 'Address', required: true, description: 'Address of the nonce account.' }),
    authority: t.field({
      type: 'Address',
      required: true,
      description: 'The authority that the account stores. It must be the wallet or the fee payer.',
    }),
  }),
});

export const TipInputRef = builder.inputType('TipInput', {
  description: 'A payment in SOL to an account, for example of a block builder.',
  fields: (t) => ({
    account: t.field({ type: 'Address', required: true, description: 'Account that receives the tip.' }),
    lamports: t.field({ type: 'U64', required: true, description: 'Amount in lamports, at least 1.' }),
  }),
});
