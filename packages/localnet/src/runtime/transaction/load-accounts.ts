import { programDataAddress, UPGRADEABLE_LOADER } from '@sluice/protocol/loader/program-data';
import type { Address } from '@solana/kit';
import type { AccountReader } from '../account-overlay.ts';
import type { ResolvedAccounts } from './resolve-accounts.ts';

/** Bytes that the accounting adds to the data of each account. */
const ACCOUNT_OVERHEAD_BYTES = 64;
/** Every lookup table counts as a full one. */
const LOOKUP_TABLE_BYTES = 8_248;

/** Bytes of all accounts that the transaction loads. */
export function loadedBytes({ addresses, lookupTables }: ResolvedAccounts, accounts: AccountReader): number {
  return addresses.reduce(
    (sum, address) => sum + sizeOf(address, accounts),
    lookupTables * LOOKUP_TABLE_BYTES,
  );
}

function sizeOf(address: Address, accounts: AccountReader): number {
  const account = accounts.get(address);
  if (account === undefined || account.lamports === 0n) return 0;
  const own = ACCOUNT_OVERHEAD_BYTES + account.data.length;
  if (!account.executable || account.owner !== UPGRADEABLE_LOADER) return own;
  const code = accounts.get(programDataAddress(address));
  return own + (code === undefined ? 0 : ACCOUNT_OVERHEAD_BYTES + code.data.length);
}

/** Why the transaction cannot run although its fee is charged; null when it can. */
export function loadFailure(
  resolved: ResolvedAccounts,
  accounts: AccountReader,
  loaded: number,
  limit: number,
): string | null {
  if (loaded > limit) return 'MaxLoadedAccountsDataSizeExceeded';
  for (const { programAddress } of resolved.instructions) {
    const program = accounts.get(programAddress);
    if (program === undefined || program.lamports === 0n) return 'ProgramAccountNotFound';
    if (!program.executable) return 'InvalidProgramForExecution';
  }
  return null;
}
