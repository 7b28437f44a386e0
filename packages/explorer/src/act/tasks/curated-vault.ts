import { choice, type Field } from './field.ts';
import type { TokenUnit } from './read.ts';

/** What the forms of a curator need to know about a vault. Numbers are in base units, as the account has them. */
export interface CuratedVault {
  readonly address: string;
  readonly token: TokenUnit;
  /** Reserves of the vault, with the names of their tokens and markets. */
  readonly reserves: readonly CuratedReserve[];
  readonly state: CuratedState;
}

export interface CuratedReserve {
  readonly address: string;
  readonly name: string;
}

export interface CuratedState {
  readonly vaultAdminAuthority: string;
  readonly pendingAdmin: string;
  readonly allocationAdmin: string;
  readonly name: string;
  readonly performanceFeeBps: string;
  readonly managementFeeBps: string;
  readonly withdrawalPenaltyBps: string;
  readonly withdrawalPenaltyLamports: string;
  readonly depositCap: string;
  readonly minDepositAmount: string;
  readonly minWithdrawAmount: string;
  readonly minInvestAmount: string;
  readonly minInvestDelaySlots: string;
  readonly crankFundFeePerReserve: string;
  readonly unallocatedWeight: string;
  readonly unallocatedTokensCap: string;
  readonly vaultFarm: string;
  readonly vaultLookupTable: string;
  readonly permissioningAuthority: string;
}

export const U64_MOST = 18_446_744_073_709_551_615n;

export const KEPT = 'An empty field stays as it is.';

export const reserveChoice = ({ reserves }: CuratedVault): Field<string> =>
  choice(
    'Reserve',
    reserves.map(({ address, name }) => [address, name]),
  );
