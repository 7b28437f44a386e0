import type { View } from '../../chain/view/view.ts';
import type { VaultRecord } from '../request/records.ts';
import { Valuation } from './valuation.ts';

/** Whether the catalogue names the admin authority of a vault, which sets the vault's name. */
export function isNameVerified(view: View, { value }: VaultRecord): boolean {
  return Valuation.of(view).catalogue.curators.has(value.vaultAdminAuthority);
}
