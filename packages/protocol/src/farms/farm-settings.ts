import { viewOf } from '../layout/account.ts';
import { bool, type Codec, publicKey, u8, u32, u64 } from '../layout/codec.ts';
import type { Plain } from '../layout/plain.ts';

/** A change of a setting of a farm. */
export interface FarmSetting {
  /** Name that the program has for it; null for one that is younger than this table. */
  readonly mode: string | null;
  /** Place of the reward that it is for; null for a setting of the whole farm. */
  readonly rewardIndex: number | null;
  /** The new value: 64-bit integers as text, addresses in base58, a schedule as its points. In hex when it is unknown. */
  readonly value: Plain;
}

interface Mode {
  readonly name: string;
  /** `schedule`: points of a time in Unix seconds (or a slot) and a rate from then on. */
  readonly value: Codec<unknown> | 'schedule';
  /** The place of the reward, 64 bits, comes before the value. */
  readonly ofReward?: true;
}

/** By `mode` of the instruction. */
const MODES: readonly Mode[] = [
  { name: 'UpdateRewardRps', value: u64, ofReward: true },
  { name: 'UpdateRewardMinClaimDuration', value: u64, ofReward: true },
  { name: 'WithdrawAuthority', value: publicKey },
  { name: 'DepositWarmupPeriod', value: u32 },
  { name: 'WithdrawCooldownPeriod', value: u32 },
  { name: 'RewardType', value: u8, ofReward: true },
  { name: 'RpsDecimals', value: u8, ofReward: true },
  { name: 'LockingMode', value: u64 },
  { name: 'LockingStartTimestamp', value: u64 },
  { name: 'LockingDuration', value: u64 },
  { name: 'LockingEarlyWithdrawalPenaltyBps', value: u64 },
  { name: 'DepositCapAmount', value: u64 },
  { name: 'SlashedAmountSpillAddress', value: publicKey },
  { name: 'ScopePricesAccount', value: publicKey },
  { name: 'ScopeOraclePriceId', value: u64 },
  { name: 'ScopeOracleMaxAge', value: u64 },
  { name: 'UpdateRewardScheduleCurvePoints', value: 'schedule', ofReward: true },
  { name: 'UpdatePendingFarmAdmin', value: publicKey },
  { name: 'UpdateStrategyId', value: publicKey },
  { name: 'UpdateDelegatedRpsAdmin', value: publicKey },
  { name: 'UpdateVaultId', value: publicKey },
  { name: 'UpdateExtraDelegatedAuthority', value: publicKey },
  { name: 'UpdateIsRewardUserOnceEnabled', value: bool },
  { name: 'UpdateDelegatedAuthority', value: publicKey },
  { name: 'UpdateIsHarvestingPermissionless', value: bool },
];

const INDEX_BYTES = 8;
const COUNT_BYTES = 4;
const POINT_BYTES = 16;

/** Name of a setting by the `mode` of `updateFarmConfig`; null for one that is younger than this table. */
export const farmSettingName = (mode: number): string | null => MODES[mode]?.name ?? null;

/** Decodes the arguments of `updateFarmConfig`. @param data the bytes after their length */
export function farmSetting(number: number, data: Uint8Array): FarmSetting {
  const mode = MODES[number];
  const name = farmSettingName(number);
  const indexBytes = mode?.ofReward ? INDEX_BYTES : 0;
  if (mode === undefined || data.length < indexBytes) return unknownValue(name, data);
  const rewardIndex = mode.ofReward ? Number(u64.read(viewOf(data), 0)) : null;
  const rest = data.subarray(indexBytes);
  const value = mode.value === 'schedule' ? pointsOf(rest) : decodedValue(mode.value, rest);
  return value === null ? unknownValue(name, data) : { mode: name, rewardIndex, value };
}

const unknownValue = (mode: string | null, data: Uint8Array): FarmSetting => ({
  mode,
  rewardIndex: null,
  value: Buffer.from(data).toString('hex'),
});

function decodedValue(codec: Codec<unknown>, data: Uint8Array): Plain | null {
  if (data.length < codec.size) return null;
  const value = codec.read(viewOf(data), 0);
  return typeof value === 'bigint' ? String(value) : (value as string | number | boolean);
}

function pointsOf(data: Uint8Array): Plain | null {
  if (data.length < COUNT_BYTES) return null;
  const view = viewOf(data);
  const count = u32.read(view, 0);
  if (data.length < COUNT_BYTES + count * POINT_BYTES) return null;
  return Array.from({ length: count }, (_, i) => {
    const at = COUNT_BYTES + i * POINT_BYTES;
    return {
      tsStart: String(u64.read(view, at)),
      rewardPerTimeUnit: String(u64.read(view, at + POINT_BYTES / 2)),
    };
  });
}
