import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';
import { listItems } from '../values/query-values.ts';

export const ReserveMetrics = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    liquidityToken: z.string().openapi({ description: 'Ticker of the token.' }),
    liquidityTokenMint: addressOut('Mint of the token.'),
    maxLtv: decimalOut('Maximum loan-to-value outside elevation groups, as a fraction.'),
    borrowApy: decimalOut('Borrow APY from interest as a fraction, without rewards.'),
    supplyApy: decimalOut('Supply APY from interest as a fraction, without rewards.'),
    totalSupply: decimalOut('Total that belongs to suppliers, with interest up to now, in whole tokens.'),
    totalBorrow: decimalOut('Total borrowed, with interest up to now, in whole tokens.'),
    totalBorrowUsd: decimalOut(
      '`totalBorrow` in USD, at the price of the reserve. "0" when the price is unknown.',
    ),
    totalSupplyUsd: decimalOut(
      '`totalSupply` in USD, at the price of the reserve. "0" when the price is unknown.',
    ),
  })
  .openapi('ReserveMetrics');

const MOST_MARKETS = 100;
const HOW = 'pass the address of a market, and repeat the parameter for more';

/** One or more markets. */
export const markets = z
  .preprocess(
    listItems,
    z
      .array(address('Address of a lending market.'), {
        error: ({ input }) => (input === undefined ? `is required: ${HOW}` : HOW),
      })
      .max(MOST_MARKETS, `must not have more than ${MOST_MARKETS} addresses: use several requests`),
  )
  .openapi({
    param: { required: true, style: 'form', explode: true },
    description: `Addresses of lending markets, at most ${MOST_MARKETS}. Repeat the parameter for each (\`markets=a&markets=b\` or \`markets[]=a&markets[]=b\`), or separate them by commas. An unknown market has no reserves.`,
  });

const ReserveData = z
  .strictObject({
    pubkey: addressOut('Address of the reserve.'),
    data: z.string().openapi({
      format: 'byte',
      description:
        'The whole account in base64, including its discriminator: 8624 bytes. Cut short in the example.',
    }),
  })
  .openapi('ReserveData');

export const MarketReserveData = z
  .strictObject({
    market: addressOut('Address of a requested market.'),
    reserves: z
      .array(ReserveData)
      .openapi({ description: 'Reserves of the market, largest supply first. Empty for an unknown market.' }),
  })
  .openapi('MarketReserveData');
