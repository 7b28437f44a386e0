import type { View } from '../../chain/view/view.ts';
import {
  type PermissionedOperation,
  permissionedOperations,
  permissioningAuthority,
} from '../../domain/permission.ts';
import type { MarketRecord, ReserveRecord } from '../request/records.ts';

export type { PermissionedOperation };

/** The address that must also sign permissioned operations; null for an open market. */
export const authorityOfMarket = ({ value }: MarketRecord) => permissioningAuthority(value);

/** The operations that are permissioned in every reserve of a market. */
export const operationsOfMarket = ({ value }: MarketRecord) => permissionedOperations(value);

/** The operations that are permissioned in a reserve, by itself or by its market. Null when the market cannot be read. */
export function operationsOfReserve(view: View, { value }: ReserveRecord): PermissionedOperation[] | null {
  const market = view.get('market', value.lendingMarket);
  return market === undefined ? null : permissionedOperations(market.value, [value]);
}
