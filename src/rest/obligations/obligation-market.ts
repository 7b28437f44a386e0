import { z } from '@hono/zod-openapi';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { plainStruct } from '@sluice/protocol/layout/plain';
import type { MarketRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { addressOut } from '../values/address.ts';
import { plainSchema } from '../values/layout-schema.ts';

/** An object of the contract that holds nothing. */
export const emptyObject = (description: string) => z.strictObject({}).openapi({ description });

const CLIENT_OBJECT = 'Always empty: the clients of the contract keep a client-side object here.';

const MarketState = plainSchema(lendingMarket.body, { elevationGroups: 'MarketElevationGroup' }).openapi(
  'MarketState',
  {
    description:
      'The decoded account of the market, with the field names of the program. Integers of 64 bits and more are strings, `name` and `quoteCurrency` are lists of bytes. Fields that end with Sf are scaled by 2^60. Empty slots and padding are included.',
  },
);

/** The market of an obligation, as the contract shows it. */
export const ObligationMarket = z
  .strictObject({
    address: addressOut('Address of the lending market.'),
    programId: addressOut('The lending program that owns the market.'),
    farmsProgramId: addressOut('The farms program that rewards its suppliers and borrowers.'),
    recentSlotDurationMs: z.int().min(0).openapi({
      description:
        'Length of recent slots in milliseconds, rounded. Nominal, until an RPC endpoint has given performance samples.',
    }),
    state: MarketState,
    rpc: emptyObject(CLIENT_OBJECT),
    reserves: emptyObject(CLIENT_OBJECT),
    reservesActive: emptyObject(CLIENT_OBJECT),
    scopeFeeds: emptyObject(CLIENT_OBJECT),
  })
  .openapi('ObligationMarket');

export function obligationMarket(
  { view, programs }: Session,
  { address, owner, value }: MarketRecord,
): AnswerOf<typeof ObligationMarket> {
  return {
    address,
    programId: owner,
    farmsProgramId: programs.farms,
    recentSlotDurationMs: Math.round(view.moment.slotDurationMs.toNumber()),
    state: plainStruct(value) as AnswerOf<typeof MarketState>,
    rpc: {},
    reserves: {},
    reservesActive: {},
    scopeFeeds: {},
  };
}
