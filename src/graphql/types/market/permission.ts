import {
  authorityOfMarket,
  operationsOfMarket,
  operationsOfReserve,
  type PermissionedOperation,
} from '../../../services/markets/permissions.ts';
import { builder } from '../../builder.ts';
import { MarketRef, ReserveRef } from '../../node-refs.ts';

const PermissionedOperationRef = builder.enumType('PermissionedOperation', {
  description:
    'An operation for which the lending program may demand a second signature. Repaying and withdrawing never need one.',
  values: {
    DEPOSIT: { description: 'Depositing liquidity or collateral.' },
    BORROW: { description: 'Borrowing. Flash loans do not count.' },
    LIQUIDATE: {
      description: 'Liquidating, where the reserve of the debt or the one of the collateral demands it.',
    },
  } as const satisfies Record<PermissionedOperation, object>,
});

builder.objectFields(MarketRef, (t) => ({
  permissioningAuthority: t.field({
    type: 'Address',
    nullable: true,
    description:
      'Address that must sign permissioned operations besides the wallet. Null when the market demands no other signature.',
    resolve: (market) => authorityOfMarket(market),
  }),
  permissionedOperations: t.field({
    type: [PermissionedOperationRef],
    description:
      'Operations that need the signature of `permissioningAuthority` in every reserve of the market. Empty without an authority. A reserve may add others: see `Reserve.permissionedOperations`.',
    resolve: (market) => operationsOfMarket(market),
  }),
}));

builder.objectFields(ReserveRef, (t) => ({
  permissionedOperations: t.field({
    type: [PermissionedOperationRef],
    nullable: true,
    description:
      'Operations on this reserve that need the signature of `Market.permissioningAuthority`, by the settings of the reserve or of its market. Empty when none does; null when the market cannot be read.',
    resolve: (reserve, _args, { session }) => operationsOfReserve(session.view, reserve),
  }),
}));
