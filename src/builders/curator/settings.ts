import { updateVaultConfig } from '@sluice/protocol/kvault/curator-instructions';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { readText } from '@sluice/protocol/layout/codec';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Moment } from '../../domain/moment.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import { vaultReserveAccounts } from '../vault/accounts.ts';
import type { CuratorAccounts } from './accounts.ts';
import { type CuratorBuild, withoutAmount } from './curator-action.ts';
import { openedVault } from './effect.ts';
import { checkAdmin, checkGlobalAdmin, checkSettingAdmin, refused } from './refusals.ts';
import type { VaultSettingName } from './setting-names.ts';
import {
  ADDRESS_ROWS,
  FLAG_ROWS,
  NAME_ROW,
  NUMBER_ROWS,
  type NumberRow,
  type VaultSettings,
} from './setting-rows.ts';
import { capUnitsAboveZero, unitsOf } from './units.ts';

/** Bytes of a vault's name. */
const NAME_BYTES = 40;

/** A setting that changes. */
export interface ChangedSetting {
  readonly setting: VaultSettingName;
  readonly entry: number;
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly bytes: Uint8Array;
  readonly applied: (vault: VaultState, timestamp: bigint) => VaultState;
}

/**
 * Changes settings of a vault, with one instruction for each. The program charges the fees up to now under the old ones.
 *
 * @throws NOT_VAULT_ADMIN, and BUILD_REFUSED when nothing changes or the program accepts no such value
 */
export function buildSetConfig(
  accounts: CuratorAccounts,
  settings: VaultSettings,
  moment: Moment,
): CuratorBuild {
  const changes = changedSettings(accounts, settings);
  if (changes.length === 0) {
    checkAdmin(accounts);
    throw refused(`the settings of vault ${accounts.request.vault} are as you want them: name one to change`);
  }
  const opened = openedVault(accounts, moment);
  const vault = changes.reduce((state, each) => each.applied(state, moment.timestamp), opened.vault);
  return {
    action: {
      ...withoutAmount(changes.map((each) => settingInstruction(accounts, each))),
      divisible: true,
    },
    effect: { vault, reserves: opened.refreshed, received: null },
    notes: () => ({
      settings: changes.map(({ setting, before, after }) => ({ setting, before, after })),
    }),
  };
}

/** The settings that differ from those of the vault. @throws NOT_VAULT_ADMIN, and BUILD_REFUSED for a value that cannot be */
export function changedSettings(accounts: CuratorAccounts, settings: VaultSettings): ChangedSetting[] {
  return [
    ...changedNumbers(accounts, settings),
    ...changedAddresses(accounts, settings),
    ...changedFlags(accounts, settings),
    ...changedName(accounts, settings),
  ].sort((a, b) => a.entry - b.entry);
}

function settingInstruction(
  accounts: CuratorAccounts,
  { entry, what, after, bytes }: ChangedSetting,
): BuiltInstruction {
  const { request, globalConfigAddress } = accounts;
  const built = instruction(
    updateVaultConfig,
    request.programs.kvault,
    {
      signer: request.wallet,
      globalConfig: globalConfigAddress,
      vaultState: request.vault,
      klendProgram: request.programs.klend,
    },
    { entry, dataLength: bytes.length },
    {
      summary: `Set ${what} of the vault to ${after ?? 'none'}`,
      remaining: vaultReserveAccounts(accounts),
    },
  );
  return { ...built, data: new Uint8Array([...built.data, ...bytes]) };
}

function changedNumbers(accounts: CuratorAccounts, settings: VaultSettings): ChangedSetting[] {
  const { vault } = accounts;
  const decimals = Number(vault.tokenMintDecimals);
  return NUMBER_ROWS.flatMap((row) => {
    const { setting, entry, what, unit } = row;
    const given = numberOf(row, settings, decimals);
    if (given === undefined) return [];
    checkSettingAdmin(accounts, row.isShared === true, what);
    const words = (value: bigint): string | null => {
      if (unit === 'number') return String(value);
      return unit === 'cap' && (value === 0n || value === U64_MAX) ? null : placePoint(value, decimals);
    };
    const { most } = row;
    if (most !== undefined && given > most) {
      const limit = unit === 'number' ? `${most}` : `${placePoint(most, decimals)} tokens`;
      throw refused(`${what} can be at most ${limit}`);
    }
    if (given === row.present(vault)) return [];
    return {
      setting,
      entry,
      what,
      before: words(row.present(vault)),
      after: words(given),
      bytes: u64Bytes(given),
      applied: (state, timestamp) => changed(state, row.fields(given, state, timestamp)),
    };
  });
}

function numberOf(row: NumberRow, settings: VaultSettings, decimals: number): bigint | undefined {
  const given = row.given(settings);
  if (given === undefined) return undefined;
  if (given === 'none' || (row.unit === 'cap' && given instanceof Rational)) {
    return capUnitsAboveZero(given, decimals, row.what);
  }
  const value = given instanceof Rational ? unitsOf(given, decimals) : BigInt(given);
  if (value < 0n) throw refused(`${row.what} must not be negative`);
  return value;
}

function changedAddresses(accounts: CuratorAccounts, settings: VaultSettings): ChangedSetting[] {
  const { vault } = accounts;
  return ADDRESS_ROWS.flatMap((row) => {
    const { setting, entry, what } = row;
    const given = row.given(settings);
    if (given === undefined) return [];
    checkSettingAdmin(accounts, row.isShared === true, what);
    const present = row.present(vault);
    if (given === present) return [];
    return {
      setting,
      entry,
      what,
      before: presentAddress(present),
      after: presentAddress(given),
      bytes: addressBytes(given),
      applied: (state) => changed(state, row.fields(given)),
    };
  });
}

function changedFlags(accounts: CuratorAccounts, settings: VaultSettings): ChangedSetting[] {
  const { vault } = accounts;
  return FLAG_ROWS.flatMap((row) => {
    const { setting, entry, what } = row;
    const given = row.given(settings);
    if (given === undefined) return [];
    if (given) checkSettingAdmin(accounts, true, what);
    else checkGlobalAdmin(accounts, what);
    const value = given ? 1 : 0;
    const present = row.present(vault);
    if (value === present) return [];
    return {
      setting,
      entry,
      what,
      before: String(present !== 0),
      after: String(given),
      bytes: Uint8Array.of(value),
      applied: (state) => changed(state, row.fields(value)),
    };
  });
}

function changedName(accounts: CuratorAccounts, { name }: VaultSettings): ChangedSetting[] {
  if (name === undefined) return [];
  checkSettingAdmin(accounts, true, NAME_ROW.what);
  const bytes = new TextEncoder().encode(name);
  if (bytes.length > NAME_BYTES) {
    throw refused(
      `the name of a vault has at most ${NAME_BYTES} bytes in UTF-8, and this one ${bytes.length}`,
    );
  }
  const before = readText(accounts.vault.name);
  if (before === name) return [];
  const padded = new Uint8Array(NAME_BYTES);
  padded.set(bytes);
  const { setting, entry, what } = NAME_ROW;
  const applied = (state: VaultState) => changed(state, { name: padded });
  return [{ setting, entry, what, before: before || null, after: name || null, bytes, applied }];
}

function u64Bytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, value, true);
  return bytes;
}
