import { type ActionPreview, Decimal } from '@sluice/client';
import { shortAddress } from '../../format/address.ts';

type VaultEffects = NonNullable<ActionPreview['vault']>;
type SettingChange = VaultEffects['settings'][number];
export type VaultSetting = SettingChange['setting'];

type Kind = 'address' | 'bps' | 'tokens' | 'number' | 'words' | 'switch';

const SETTINGS: Readonly<Record<VaultSetting, readonly [name: string, kind: Kind]>> = {
  ADMIN: ['Admin', 'address'],
  ALLOCATIONS_IN_WHITELISTED_RESERVES_ONLY: ['Weights grow for listed reserves only', 'switch'],
  ALLOCATION_ADMIN: ['Allocation admin', 'address'],
  CRANK_FEE_PER_RESERVE: ['Added to crank funds per reserve', 'tokens'],
  DEPOSIT_CAP: ['Deposit cap', 'tokens'],
  FARM: ['Farm', 'address'],
  FIRST_LOSS_FARM: ['First-loss farm', 'address'],
  INVESTS_IN_WHITELISTED_RESERVES_ONLY: ['Invests in listed reserves only', 'switch'],
  LOOKUP_TABLE: ['Lookup table', 'address'],
  MANAGEMENT_FEE_BPS: ['Management fee', 'bps'],
  MIN_DEPOSIT: ['Smallest deposit', 'tokens'],
  MIN_INVEST: ['Smallest investment', 'tokens'],
  MIN_INVEST_DELAY_SLOTS: ['Slots between investments', 'number'],
  MIN_WITHDRAW: ['Smallest withdrawal', 'tokens'],
  NAME: ['Name', 'words'],
  PENDING_ADMIN: ['Pending admin', 'address'],
  PERFORMANCE_FEE_BPS: ['Performance fee', 'bps'],
  PERMISSIONING_AUTHORITY: ['Signs every deposit and withdrawal', 'address'],
  REWARD_PER_SECOND: ['Rewards per second', 'tokens'],
  UNALLOCATED_CAP: ['Cap of idle tokens', 'tokens'],
  UNALLOCATED_WEIGHT: ['Weight of idle tokens', 'number'],
  WITHDRAWAL_PENALTY: ['Smallest withdrawal penalty', 'tokens'],
  WITHDRAWAL_PENALTY_BPS: ['Withdrawal penalty', 'bps'],
};

export const settingName = (setting: VaultSetting): string => SETTINGS[setting][0];

/** Value of a setting in words. Null means that there is none. */
export function settingText(setting: VaultSetting, value: string | null, symbol: string): string {
  if (value === null) return 'None';
  switch (SETTINGS[setting][1]) {
    case 'address':
      return shortAddress(value);
    case 'bps':
      return Decimal.fromBaseUnits(value, 4).format({ style: 'percent', places: 2 });
    case 'tokens':
      return `${Decimal.of(value).format({ places: 9 })} ${symbol}`;
    case 'number':
      return Decimal.of(value).format();
    case 'switch':
      return value === 'true' ? 'Yes' : 'No';
    case 'words':
      return value === '' ? 'None' : value;
  }
}
