import type { Address } from '@solana/kit';
import {
  removeAllocation,
  updateReserveAllocationV1,
  updateReserveAllocationV2,
  updateVaultConfig,
} from '../kvault/curator-instructions.ts';
import { viewOf } from '../layout/account.ts';
import type { Action, Changes } from './call-context.ts';
import { instructionReader } from './instruction-reader.ts';

/** Settings of `updateVaultConfig` that belong to the target allocation, by the number that names them. */
const UNALLOCATED_WEIGHT = 12;
const UNALLOCATED_CAP = 13;

interface AllocationAccounts {
  readonly signer: Address;
  readonly vaultState: Address;
  readonly reserve: Address;
}

function allocated(
  { signer, vaultState: vault, reserve }: AllocationAccounts,
  { weight, cap }: { readonly weight: bigint; readonly cap: bigint },
  collateralCap: bigint | null,
): Changes {
  return { allocation: [{ kind: 'setAllocation', vault, signer, reserve, weight, cap, collateralCap }] };
}

/** Most settings say nothing about the allocation. */
function unallocated(
  { signer, vaultState: vault }: Omit<AllocationAccounts, 'reserve'>,
  entry: number,
  value: Uint8Array,
): Changes {
  if ((entry !== UNALLOCATED_WEIGHT && entry !== UNALLOCATED_CAP) || value.length !== 8) {
    return { allocation: [] };
  }
  const number = viewOf(value).getBigUint64(0, true);
  const set = entry === UNALLOCATED_WEIGHT ? { weight: number, cap: null } : { weight: null, cap: number };
  const change = { kind: 'setUnallocated', vault, signer, reserve: null, collateralCap: null } as const;
  return { allocation: [{ ...change, ...set }] };
}

/** Instructions with which the admin of a vault, or of its allocations, changes where its tokens go. */
export const CURATOR_ACTIONS: readonly Action[] = [
  instructionReader(updateReserveAllocationV1, ({ accounts, args }) => allocated(accounts, args, null)),
  instructionReader(updateReserveAllocationV2, ({ accounts, args }) =>
    allocated(accounts, args, args.ctokenAllocationCap),
  ),
  instructionReader(removeAllocation, ({ accounts }) => {
    const { vaultAdminAuthority: signer, vaultState: vault, reserve } = accounts;
    const none = { weight: 0n, cap: 0n, collateralCap: 0n };
    return { allocation: [{ kind: 'removeAllocation', vault, signer, reserve, ...none }] };
  }),
  instructionReader(updateVaultConfig, ({ accounts, args }, _context, rest) =>
    unallocated(accounts, args.entry, rest.subarray(0, args.dataLength)),
  ),
];
