import type { Denominated } from '../../../domain/pnl/denominated.ts';
import { builder } from '../../builder.ts';

export const DenominatedRef = builder.objectRef<Denominated>('Denominated').implement({
  description: 'One value in USD, in SOL and in tokens.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in USD. Null when a price that it needs was not recorded.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in SOL. Null when a price that it needs was not recorded.',
    }),
    token: t.expose('token', { type: 'Decimal', description: 'Value in whole tokens of the vault.' }),
  }),
});
