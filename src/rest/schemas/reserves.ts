import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';

export const ReserveMetrics = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    liquidityToken: z.string().openapi({ description: 'Symbol of the token that is lent.' }),
    liquidityTokenMint: addressOut('Its mint.'),
    maxLtv: decimalOut(
      'Share of a deposit’s value that may be borrowed, a fraction, outside elevation groups.',
    ),
    borrowApy: decimalOut('Interest that borrowers pay in a year, a fraction; rewards are not part of it.'),
    supplyApy: decimalOut('Interest that suppliers earn in a year, a fraction; rewards are not part of it.'),
    totalSupply: decimalOut('What belongs to suppliers, whole tokens, with interest up to now.'),
    totalBorrow: decimalOut('What is lent out, whole tokens, with interest up to now.'),
    totalBorrowUsd: decimalOut('`totalBorrow` at the reserve’s price, USD; "0" when the price is unknown.'),
    totalSupplyUsd: decimalOut('`totalSupply` at the reserve’s price, USD; "0" when the price is unknown.'),
  })
  .openapi('ReserveMetrics');

const MOST_MARKETS = 100;
const HOW = 'give the address of a market, and repeat the parameter for more';

/** One market or several: a parameter that is given once arrives as its text. */
export const markets = z
  .preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z
      .array(address('Lending market.'), {
        error: ({ input }) => (input === undefined ? `is missing: ${HOW}` : HOW),
      })
      .max(MOST_MARKETS, `must not be given more than ${MOST_MARKETS} times: ask in several requests`),
  )
  .openapi({
    param: { required: true, style: 'form', explode: true },
    description: `Lending markets, at most ${MOST_MARKETS}: repeat the parameter. One that is not here has no reserves.`,
  });

export const MarketReserveData = z
  .strictObject({
    market: addressOut('One of the markets that were asked for.'),
    reserves: z
      .array(
        z.strictObject({
          pubkey: addressOut('Address of the reserve.'),
          data: z.string().openapi({
            format: 'byte',
            description: 'Base64 of the whole account, discriminator included: 8624 bytes.',
          }),
        }),
      )
      .openapi({ description: 'Largest supply first; empty for a market that is not here.' }),
  })
  .openapi('MarketReserveData');
