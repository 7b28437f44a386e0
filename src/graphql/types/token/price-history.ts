import { priceHistory, type RecordedPrice } from '../../../services/history/price-history.ts';
import { builder } from '../../builder.ts';
import { TokenRef } from '../../node-refs.ts';
import { BUCKET, historyArgs, historyOf, NO_HISTORY, seriesRequest } from '../history/history-fields.ts';

const PricePointRef = builder.objectRef<RecordedPrice>('PricePoint').implement({
  description: 'One bucket of the price history of a token.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    sampledAt: t.expose('sampledAt', {
      type: 'DateTime',
      description: 'Time at which the price was recorded: the last time of the bucket.',
    }),
    priceUsd: t.expose('priceUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD per whole token, the last value of the bucket. Null when there was no price.',
    }),
  }),
});

const PriceHistoryRef = historyOf('Price', PricePointRef, 'price');

builder.objectFields(TokenRef, (t) => ({
  priceHistory: t.field({
    type: PriceHistoryRef,
    nullable: true,
    description: `Recorded prices of the token, which are those that lending markets use. ${NO_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: ({ mint }, args, { platform, session }) =>
      priceHistory(platform, session, mint, seriesRequest(session, args)),
  }),
}));
