import { builder } from '../../builder.ts';

export const PriceShockInput = builder.inputType('PriceShock', {
  description:
    'A supposed price of a token. Pass `mint` and exactly one of the other fields. The price of every reserve of the token moves; no other token moves with it, so name a liquid-staking token next to SOL if it is to fall too.',
  fields: (t) => ({
    mint: t.field({
      type: 'Address',
      required: true,
      description: 'Mint of the token. It must be the token of a reserve.',
    }),
    changePct: t.field({
      type: 'Decimal',
      description: 'Change of the current price in percent: -20 is a fall of 20 %. At least -100.',
    }),
    usd: t.field({ type: 'Decimal', description: 'Price in USD per whole token. Not negative.' }),
  }),
});
