import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';

const UNREADABLE = '"0" when a reserve cannot be read.';
const UNPRICED = '"0" when the token has no price.';

export const VaultAllocationDetails = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    market: addressOut(
      'Address of the lending market. 11111111111111111111111111111111 when the reserve cannot be read.',
    ),
    marketName: z
      .string()
      .openapi({ description: 'Name of the market. Empty when it has none or cannot be read.' }),
    tokenMint: addressOut('Mint of the deposit token.'),
    symbol: z.string().openapi({ description: 'Symbol of the deposit token.' }),
    targetWeightPct: decimalOut(
      'Target percentage of the vault, 0 to 100, including the weight that stays unallocated.',
    ),
    actualPct: decimalOut(
      `Percentage of the vault\u2019s tokens that are invested in the reserve, 0 to 100. All of them and \`unallocated.pct\` add up to 100. ${UNREADABLE}`,
    ),
    suppliedTokenAmount: decimalOut(
      `Amount invested in the reserve, with interest, in whole tokens. ${UNREADABLE}`,
    ),
    suppliedUsd: decimalOut(
      `The same amount in USD. All of them add up to \`capitalDeployedUsd\`. ${UNPRICED}`,
    ),
    capTokenAmount: decimalOut(
      'Maximum that may be invested in the reserve, in whole tokens. Without a limit, the largest amount that the program can store.',
    ),
    utilizationRatio: decimalOut(`Fraction of the reserve\u2019s supply that is borrowed. ${UNREADABLE}`),
    supplyApy: decimalOut(`Supply yield of the reserve from interest, per year as a fraction. ${UNREADABLE}`),
    rewardsApy: decimalOut(
      `Supply yield of the reserve from its farm and its reward campaigns, per year as a fraction. ${UNREADABLE}`,
    ),
    collateral: z.array(z.string()).openapi({
      description:
        'Symbols of the tokens against which the reserve can be borrowed now, largest supply first. Empty when it lends nothing.',
    }),
  })
  .openapi('VaultAllocationDetails');

export const VaultAllocations = z
  .strictObject({
    asOf: dateOut('Time of the View that the amounts are computed for.'),
    capitalDeployedUsd: decimalOut(`Value of all tokens that are invested in reserves, in USD. ${UNPRICED}`),
    utilizationRatio: decimalOut(
      `Fraction of the vault\u2019s tokens that its reserves have lent to borrowers. ${UNREADABLE}`,
    ),
    allocations: z
      .array(VaultAllocationDetails)
      .openapi({ description: 'The used entries of the allocation strategy, in its order.' }),
    unallocated: z
      .strictObject({
        tokenAmount: decimalOut('Tokens that are not invested, in whole tokens.'),
        usd: decimalOut(`The same tokens in USD. ${UNPRICED}`),
        pct: decimalOut(
          `Percentage of the vault\u2019s tokens that are not invested, 0 to 100. 100 for an empty vault. ${UNREADABLE}`,
        ),
      })
      .openapi('UnallocatedTokens', { description: 'Tokens that are not invested.' }),
  })
  .openapi('VaultAllocations');
