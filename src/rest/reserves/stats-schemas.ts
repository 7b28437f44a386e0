import { z } from '@hono/zod-openapi';
import { address } from '../values/address.ts';
import { listItems } from '../values/query-values.ts';
import { ReserveStats } from './stats-shape.ts';

const MOST_RESERVES = 100;
const HOW = 'pass addresses of reserves, separated by commas';

export const ReserveStatsParams = z.object({ pubkey: address('Address of the reserve.') });

export const ReserveStatsBatchQuery = z
  .object({
    market: address('Address of a lending market: statistics of all of its reserves.')
      .optional()
      .openapi({ param: { required: false } }),
    reserve: z
      .preprocess(
        listItems,
        z
          .array(address('Address of a reserve.'), { error: HOW })
          .max(MOST_RESERVES, `must not have more than ${MOST_RESERVES} addresses: use several requests`)
          .optional(),
      )
      .openapi({
        param: { required: false, style: 'form', explode: true },
        description: `Addresses of reserves, at most ${MOST_RESERVES}, separated by commas; the parameter may also be repeated. With \`market\`, all of them must belong to it.`,
      }),
  })
  .refine(({ market, reserve }) => market !== undefined || reserve !== undefined, {
    path: ['reserve'],
    error: 'is required without `market`: pass `market`, or up to 100 addresses in `reserve`',
  });

export const ReserveStatsBatch = z
  .record(z.string(), ReserveStats)
  .openapi({ description: 'Statistics by address of the reserve.' });
