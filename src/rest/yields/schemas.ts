import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';

export const StakingYield = z
  .strictObject({
    apy: decimalOut('Yield per year as a fraction, compounded every epoch. Negative after a loss.'),
    tokenMint: addressOut('Mint of the liquid-staking token.'),
  })
  .openapi('StakingYield');

export const PrincipalTokenYield = z
  .strictObject({
    apy: decimalOut('Yield per year as a fraction until maturity, compounded, in underlying tokens.'),
    tokenMint: addressOut('Mint of the principal token.'),
  })
  .openapi('PrincipalTokenYield');

export const YieldHistoryParams = z.object({
  source: z.string().openapi({
    description:
      'A mint, for the staking yield of the token; or the address of a farm and the mint of a reward, joined by `-`, for the yield of that reward.',
  }),
});

export const YieldHistoryQuery = z.object(range);

export const YieldPoint = z
  .strictObject({
    createdOn: dateOut('Start of the bucket.'),
    apr: decimalOut('Rate per year as a fraction, not compounded.'),
    apy: decimalOut(
      'Yield per year as a fraction: compounded every epoch for a token, daily for the reward of a farm.',
    ),
  })
  .openapi('YieldPoint');

export const BorrowAndStakingParams = z.object({
  marketPubkey: address('Address of the lending market.'),
  reservePubkey: address('Address of the reserve.'),
});

export const BorrowAndStakingQuery = z.object({ env, ...range });

export const BorrowAndStakingPoint = z
  .strictObject({
    createdOn: dateOut('Start of the bucket.'),
    borrowInterestApy: decimalOut('Borrow APY from interest, as a fraction. Mean over the bucket.'),
    stakingApy: decimalOut('Yield per year of holding the token, as a fraction, compounded every epoch.'),
  })
  .openapi('BorrowAndStakingPoint');
