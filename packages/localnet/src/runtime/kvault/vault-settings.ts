import type { vaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { ensure } from '../anchor.ts';
import { InstructionError } from '../instruction-error.ts';
import { VAULT_CODES } from './vault-errors.ts';

type VaultFields = StructInput<typeof vaultState.body.fields>;

/** One setting of a vault. */
export interface VaultSetting {
  /** Whether the admin of the program may change it too. */
  readonly isShared: boolean;
  /** The fields of the vault that take the value; fails for one that the program refuses. */
  readonly fieldsOf: (value: Uint8Array, timestamp: bigint) => VaultFields;
}

const NAME_BYTES = 40;

/** A value must have exactly the bytes of its type. */
function exactly(value: Uint8Array, size: number): DataView {
  if (value.length !== size) throw new InstructionError('BorshIoError');
  return viewOf(value);
}

const number = (value: Uint8Array) => exactly(value, 8).getBigUint64(0, true);
const key = (value: Uint8Array) => readAddress(exactly(value, 32), 0);
export const flag = (value: Uint8Array) => exactly(value, 1).getUint8(0);

const own = (fieldsOf: VaultSetting['fieldsOf']): VaultSetting => ({ isShared: false, fieldsOf });
const shared = (fieldsOf: VaultSetting['fieldsOf']): VaultSetting => ({ isShared: true, fieldsOf });

/** A number up to a limit. */
function atMost(limit: bigint, code: number): (value: Uint8Array) => bigint {
  return (value) => {
    const given = number(value);
    ensure(given <= limit, code);
    return given;
  };
}

const performanceFee = atMost(10_000n, VAULT_CODES.bpsValueTooBig);
const managementFee = atMost(1_000n, VAULT_CODES.managementFeeGreaterThanMaxAllowed);
const minWithdraw = atMost(1_000n, VAULT_CODES.minWithdrawAmountTooBig);
const penaltyUnits = atMost(10_000n, VAULT_CODES.withdrawalFeeLamportsGreaterThanMaxAllowed);
const penaltyBps = atMost(1_000n, VAULT_CODES.withdrawalFeeBpsGreaterThanMaxAllowed);

function nameBytes(value: Uint8Array): Uint8Array {
  const name = new Uint8Array(NAME_BYTES);
  name.set(value.subarray(0, NAME_BYTES));
  return name;
}

/** By the number with which the instruction names them. */
export const VAULT_SETTINGS: readonly VaultSetting[] = [
  own((value) => ({ performanceFeeBps: performanceFee(value) })),
  own((value) => ({ managementFeeBps: managementFee(value) })),
  shared((value) => ({ minDepositAmount: number(value) })),
  shared((value) => ({ minWithdrawAmount: minWithdraw(value) })),
  shared((value) => ({ minInvestAmount: number(value) })),
  shared((value) => ({ minInvestDelaySlots: number(value) })),
  shared((value) => ({ crankFundFeePerReserve: number(value) })),
  own((value) => ({ pendingAdmin: key(value) })),
  shared((value) => ({ name: nameBytes(value) })),
  shared((value) => ({ vaultLookupTable: key(value) })),
  shared((value) => ({ vaultFarm: key(value) })),
  own((value) => ({ allocationAdmin: key(value) })),
  own((value) => ({ unallocatedWeight: number(value) })),
  own((value) => ({ unallocatedTokensCap: number(value) })),
  own((value) => ({ withdrawalPenaltyLamports: penaltyUnits(value) })),
  own((value) => ({ withdrawalPenaltyBps: penaltyBps(value) })),
  own((value) => ({ firstLossCapitalFarm: key(value) })),
  shared((value) => ({ allowAllocationsInWhitelistedReservesOnly: flag(value) })),
  shared((value) => ({ allowInvestInWhitelistedReservesOnly: flag(value) })),
  own((value, timestamp) => ({
    rewardInfo: { rewardPerSecond: number(value), lastIssuanceTs: timestamp },
  })),
  shared((value) => ({ depositCap: number(value) })),
  shared((value) => ({ permissioningAuthority: key(value) })),
];

/** The whitelist flags: once set, the admin of the program alone takes them back. */
export const WHITELIST_SETTINGS: readonly number[] = [17, 18];
