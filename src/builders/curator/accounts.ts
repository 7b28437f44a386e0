import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { type VaultGlobalConfig, vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { presentAddress, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { usedAllocations } from '../../domain/vault.ts';
import type { StepContext } from '../action.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { marketAt, reserveAt } from '../lending/request.ts';
import {
  distinct,
  optionalAccount,
  type ReadAccounts,
  type WalletToken,
  walletToken,
} from '../read-accounts.ts';
import { vaultSymbol } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';
import { type VaultRequest, vaultAt, vaultTokenProgram } from '../vault/request.ts';

/** All inputs of an action on a vault by the wallet that runs it. */
export interface CuratorAccounts {
  readonly request: VaultRequest;
  /** Pays rent of accounts that the action creates. */
  readonly payer: Address;
  readonly vault: VaultState;
  readonly globalConfigAddress: Address;
  /** The program's settings; null when the account does not exist. */
  readonly globalConfig: VaultGlobalConfig | null;
  /** The reserves of the used allocations, in order. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** Their markets. */
  readonly markets: ReadonlyMap<Address, LendingMarket>;
  readonly tokenProgram: Address;
  /** The wallet's account of the vault's token. */
  readonly token: WalletToken;
  readonly tables: readonly UsableTable[];
  /** Lamports of the wallet; null when it has no account. */
  readonly walletLamports: bigint | null;
  /** Name of the vault's token, for summaries. */
  readonly symbol: string;
  readonly isSol: boolean;
}

/** Accounts to read in the first round. */
export const firstCuratorReads = ({ programs, wallet, vault }: VaultRequest): Address[] =>
  distinct([vault, vaultGlobalConfigAddress(programs.kvault).address, wallet]);

/** Accounts to read in the second round. */
export function secondCuratorReads(request: VaultRequest, read: ReadAccounts): Address[] {
  const vault = vaultAt(request, read);
  const reserves = usedAllocations(vault).flatMap(({ reserve }) =>
    read(reserve) === null ? [] : [reserveAt(read, reserve, request.programs.klend)],
  );
  return curatorReads(request, vault, reserves);
}

/** Accounts that the action will probably need: those that the known copy of the vault refers to. */
export function expectedCuratorReads(known: KnownAccounts, request: VaultRequest): Address[] {
  const vault = known.vault(request.vault);
  if (vault === undefined) return [];
  const reserves = usedAllocations(vault).flatMap(({ reserve }) => known.reserve(reserve) ?? []);
  return curatorReads(request, vault, reserves);
}

function curatorReads(request: VaultRequest, vault: VaultState, reserves: readonly Reserve[]): Address[] {
  return distinct([
    ...usedAllocations(vault).map(({ reserve }) => reserve),
    ...reserves.map(({ lendingMarket }) => lendingMarket),
    tokenAddressOf(request.wallet, vault),
    presentAddress(vault.vaultLookupTable),
  ]);
}

const tokenAddressOf = (wallet: Address, vault: VaultState): Address =>
  associatedTokenAddress(wallet, vaultTokenProgram(vault), vault.tokenMint).address;

/** @throws KVAULT_NOT_FOUND */
export function curatorAccounts(
  request: VaultRequest,
  read: ReadAccounts,
  { slot, payer }: Pick<StepContext, 'slot' | 'payer'>,
): CuratorAccounts {
  const { programs, wallet } = request;
  const vault = vaultAt(request, read);
  const config = vaultGlobalConfigAddress(programs.kvault).address;
  const reserves = new Map(
    usedAllocations(vault).map(({ reserve }) => [reserve, reserveAt(read, reserve, programs.klend)]),
  );
  const markets = distinct([...reserves.values()].map(({ lendingMarket }) => lendingMarket));
  const tokenProgram = vaultTokenProgram(vault);
  const [named] = reserves.values();
  return {
    request,
    payer,
    vault,
    globalConfigAddress: config,
    globalConfig: optionalAccount(read, config, vaultGlobalConfig, programs.kvault),
    reserves,
    markets: new Map(markets.map((address) => [address, marketAt(read, address, programs.klend)])),
    tokenProgram,
    token: walletToken(read, tokenAddressOf(wallet, vault)),
    tables: usableTables([presentAddress(vault.vaultLookupTable), ...request.lookupTables], read, slot),
    walletLamports: read(wallet)?.lamports ?? null,
    symbol: vaultSymbol(read, vault, named),
    isSol: vault.tokenMint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
  };
}
