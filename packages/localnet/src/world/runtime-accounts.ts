import { newestCheckedSlot } from '@sluice/protocol/deployments';
import { lendingGlobalConfigAddress } from '@sluice/protocol/klend/addresses';
import { lendingGlobalConfig } from '@sluice/protocol/klend/global-config';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { derive } from '@sluice/protocol/layout/pda';
import {
  encodeProgramDataHeader,
  programDataAddress,
  UPGRADEABLE_LOADER,
} from '@sluice/protocol/loader/program-data';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  CLOCK_SYSVAR,
  COMPUTE_BUDGET_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  NATIVE_LOADER,
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SCOPE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { encodeClock } from '@sluice/protocol/sysvar/clock';
import { encodeRecentBlockhashes } from '@sluice/protocol/sysvar/recent-blockhashes';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { SLOTS_PER_EPOCH } from '../runtime/epoch.ts';
import { EXCHANGE_PROGRAM } from '../runtime/exchange/addresses.ts';
import { addFaucet } from './faucet.ts';
import { type KeyPair, labelledKeyPair } from './key-pair.ts';
import { labelledAddress } from './prng.ts';
import { GENESIS_SLOT, timeOf } from './time.ts';
import { GLOBAL_PENALTY } from './vault-engine.ts';

/** The admin of the lending program, who approves transfers of obligations. */
export const lendingAdminKey = (seed: string): KeyPair => labelledKeyPair(seed, 'lending-global-admin');

const RECENT_BLOCKHASHES = 150;
const LAMPORTS_PER_SIGNATURE = 5_000n;
const { klend, kvault, farms } = MAINNET_PROGRAMS;

/** Values of the sysvars. */
interface SysvarSource {
  /** The newest slot. */
  readonly slot: () => bigint;
  readonly blockhashOf: (slot: bigint) => string;
}

/** Adds programs (as stubs), sysvars, the faucet and the settings of the lending and the vault program. */
export function addRuntimeAccounts(
  store: AccountStore,
  seed: string,
  { slot, blockhashOf }: SysvarSource,
): void {
  for (const address of [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM]) {
    const name = Buffer.from('builtin_program');
    store.add({ address, owner: NATIVE_LOADER, executable: true, encode: () => Uint8Array.from(name) });
  }
  for (const address of [
    klend,
    kvault,
    farms,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    LOOKUP_TABLE_PROGRAM,
    SCOPE_PROGRAM,
    MEMO_PROGRAM,
    MEMO_V1_PROGRAM,
    EXCHANGE_PROGRAM,
  ]) {
    store.add({ address, owner: UPGRADEABLE_LOADER, executable: true, encode: () => programStub(address) });
    store.add({
      address: programDataAddress(address),
      owner: UPGRADEABLE_LOADER,
      // The lending, vault and farm programs are those that this release was checked against.
      encode: () => encodeProgramDataHeader(newestCheckedSlot(address, 'localnet') ?? GENESIS_SLOT),
    });
  }
  addClock(store, { slot, blockhashOf });
  store.add({ address: RENT_SYSVAR, owner: SYSVAR_PROGRAM, encode: rentBytes });
  addFaucet(store, seed);
  store.add({
    address: lendingGlobalConfigAddress(klend).address,
    owner: klend,
    encode: () => lendingGlobalConfig.encode({ globalAdmin: lendingAdminKey(seed).address }),
  });
  store.add({
    address: derive(kvault, 'global_config').address,
    owner: kvault,
    encode: () =>
      vaultGlobalConfig.encode({
        globalAdmin: labelledAddress(seed, 'vault-global-admin'),
        withdrawalPenaltyLamports: GLOBAL_PENALTY.units,
        withdrawalPenaltyBps: GLOBAL_PENALTY.bps,
      }),
  });
}

/** Adds the sysvars that change with the slot, in place of those of another clock. */
export function addClock(store: AccountStore, { slot, blockhashOf }: SysvarSource): void {
  store.replace({ address: CLOCK_SYSVAR, owner: SYSVAR_PROGRAM, encode: () => clockAt(slot()) });
  store.replace({
    address: RECENT_BLOCKHASHES_SYSVAR,
    owner: SYSVAR_PROGRAM,
    encode: () => recentBlockhashes(blockhashOf, slot()),
  });
}

/** The loader's record of a program: a tag and the address of its code. */
function programStub(program: Address): Uint8Array {
  const data = new Uint8Array(36);
  data[0] = 2;
  data.set(addressBytes(programDataAddress(program)), 4);
  return data;
}

function clockAt(slot: bigint): Uint8Array {
  const epoch = slot / SLOTS_PER_EPOCH;
  const epochStart = epoch * SLOTS_PER_EPOCH;
  return encodeClock({
    slot,
    epochStartTimestamp: BigInt(timeOf(epochStart < GENESIS_SLOT ? GENESIS_SLOT : epochStart)),
    epoch,
    leaderScheduleEpoch: epoch + 1n,
    unixTimestamp: BigInt(timeOf(slot)),
  });
}

function recentBlockhashes(blockhashOf: (slot: bigint) => string, slot: bigint): Uint8Array {
  return encodeRecentBlockhashes(
    Array.from({ length: RECENT_BLOCKHASHES }, (_, age) => ({
      blockhash: blockhashOf(slot - BigInt(age)),
      lamportsPerSignature: LAMPORTS_PER_SIGNATURE,
    })),
  );
}

/** 3,480 lamports per byte-year, two years for exemption, 50 % burnt. */
function rentBytes(): Uint8Array {
  const data = Buffer.alloc(17);
  data.writeBigUInt64LE(3480n, 0);
  data.writeDoubleLE(2, 8);
  data[16] = 50;
  return Uint8Array.from(data);
}
