import {
  ASSOCIATED_TOKEN_PROGRAM,
  CLOCK_SYSVAR,
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  type ProgramIds,
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** Programs of the cluster with owners and authorities, none of whose instructions a transaction of the platform needs. */
const NATIVE_PROGRAMS: readonly (readonly [Address, string])[] = [
  ['Stake11111111111111111111111111111111111111' as Address, 'Stake program'],
  ['Vote111111111111111111111111111111111111111' as Address, 'Vote program'],
  ['BPFLoaderUpgradeab1e11111111111111111111111' as Address, 'Upgradeable loader'],
];

/** Names of the programs that a transaction of the platform calls. */
export function programNames(ids: ProgramIds): ReadonlyMap<Address, string> {
  return new Map([
    [ids.klend, 'Lending program'],
    [ids.kvault, 'Vault program'],
    [ids.farms, 'Farms program'],
    [SYSTEM_PROGRAM, 'System program'],
    [TOKEN_PROGRAM, 'Token program'],
    [TOKEN_2022_PROGRAM, 'Token-2022 program'],
    [ASSOCIATED_TOKEN_PROGRAM, 'Associated token program'],
    [COMPUTE_BUDGET_PROGRAM, 'Compute budget program'],
    [LOOKUP_TABLE_PROGRAM, 'Address lookup table program'],
    [MEMO_PROGRAM, 'Memo program'],
    [MEMO_V1_PROGRAM, 'Memo program (first version)'],
    ...NATIVE_PROGRAMS,
  ]);
}

export const SYSVAR_NAMES: ReadonlyMap<Address, string> = new Map([
  [CLOCK_SYSVAR, 'clock of the cluster'],
  [RENT_SYSVAR, 'rent of the cluster'],
  [INSTRUCTIONS_SYSVAR, 'instructions of the transaction'],
  [RECENT_BLOCKHASHES_SYSVAR, 'recent blockhashes of the cluster'],
]);
