import type { Denominated } from '../../domain/pnl/denominated.ts';
import { builder } from '../builder.ts';

export const DenominatedRef = builder.objectRef<Denominated>('Denominated').implement({
  description: 'One value in three denominations.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD. Null when a price that it needs was not recorded.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'SOL. Null when a price that it needs was not recorded.',
    }),
    token: t.expose('token', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole tokens of the vault.',
    }),
  }),
});
