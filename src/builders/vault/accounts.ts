import { type FarmState, farmState } from '@sluice/protocol/farms/farm-state';
import { type UserState, userState } from '@sluice/protocol/farms/user-state';
import { type LendingMarket, lendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { type VaultGlobalConfig, vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { presentAddress, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { userStaked } from '../../domain/rewards.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { issuanceBlock } from '../../domain/withdraw-queue.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { RemainingAccount } from '../built-instruction.ts';
import { marketAt, reserveAt } from '../lending/request.ts';
import { permissionAccounts } from '../permission.ts';
import {
  optionalAccount,
  type ReadAccounts,
  readableAccount,
  type WalletToken,
  walletToken,
} from '../read-accounts.ts';
import { vaultSymbol } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';
import {
  rewardingMarkets,
  type VaultRequest,
  vaultAt,
  vaultTokenProgram,
  vaultWalletAddresses,
} from './request.ts';

/** The farm of a vault's shares, and the wallet's stake in it. */
export interface VaultFarm {
  readonly address: Address;
  readonly account: FarmState;
  readonly user: Address;
  /** The stake; null before the first one. */
  readonly stake: UserState | null;
  /** Active staked shares, base units. */
  readonly staked: bigint;
}

/** All inputs of a vault action. */
export interface VaultAccounts {
  readonly request: VaultRequest;
  /** Pays rent of accounts that the action creates. */
  readonly payer: Address;
  readonly vault: VaultState;
  readonly globalConfigAddress: Address;
  /** The program's settings; null when the account does not exist. */
  readonly globalConfig: VaultGlobalConfig | null;
  readonly eventAuthority: Address;
  /** The reserves of the used allocations, in order. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** The markets of those that give rewards of their own, which depend on a limit of the market. */
  readonly markets: ReadonlyMap<Address, LendingMarket>;
  /** The reserves whose market issues tickets of a withdraw queue now. Empty unless the request asks for them. */
  readonly queueing: readonly Reserve[];
  readonly tokenProgram: Address;
  readonly token: WalletToken;
  readonly shares: WalletToken;
  /** Null when the vault has no farm. */
  readonly farm: VaultFarm | null;
  readonly tables: readonly UsableTable[];
  /** Lamports of the wallet; null when it has no account. */
  readonly walletLamports: bigint | null;
  /** The token's name from a reserve of the vault, for summaries. */
  readonly symbol: string;
  readonly isSol: boolean;
}

/** Decodes the accounts, read at `slot`. The wallet pays rent unless another payer is given. */
export function vaultAccounts(
  request: VaultRequest,
  read: ReadAccounts,
  slot: bigint,
  payer: Address = request.wallet,
): VaultAccounts {
  const { programs, wallet } = request;
  const vault = vaultAt(request, read);
  const addresses = vaultWalletAddresses(request, vault);
  const config = vaultGlobalConfigAddress(programs.kvault).address;
  const tokenProgram = vaultTokenProgram(vault);
  const reserves = new Map(
    usedAllocations(vault).map(({ reserve }) => [reserve, reserveAt(read, reserve, programs.klend)]),
  );
  const markets = new Map(
    rewardingMarkets(reserves.values()).map((address) => [address, marketAt(read, address, programs.klend)]),
  );
  const [named] = reserves.values();
  return {
    request,
    payer,
    vault,
    globalConfigAddress: config,
    globalConfig: optionalAccount(read, config, vaultGlobalConfig, programs.kvault),
    eventAuthority: eventAuthority(programs.kvault).address,
    reserves,
    markets,
    queueing: request.withQueues ? queueingReserves(request, [...reserves.values()], read) : [],
    tokenProgram,
    token: walletToken(read, addresses.token),
    shares: walletToken(read, addresses.shares),
    farm:
      addresses.farm && addresses.farmUser && vaultFarm(request, read, addresses.farm, addresses.farmUser),
    tables: usableTables([presentAddress(vault.vaultLookupTable), ...request.lookupTables], read, slot),
    walletLamports: read(wallet)?.lamports ?? null,
    symbol: vaultSymbol(read, vault, named),
    isSol: vault.tokenMint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
  };
}

function queueingReserves(
  { programs }: VaultRequest,
  reserves: readonly Reserve[],
  read: ReadAccounts,
): Reserve[] {
  return reserves.filter((reserve) => {
    const market = readableAccount(read, reserve.lendingMarket, lendingMarket, programs.klend);
    return market !== null && issuanceBlock(market, reserve) === null;
  });
}

function vaultFarm(
  { programs }: VaultRequest,
  read: ReadAccounts,
  address: Address,
  user: Address,
): VaultFarm {
  const account = optionalAccount(read, address, farmState, programs.farms);
  if (account === null) throw new SluiceError('ACCOUNT_NOT_FOUND', { account: 'FarmState', address });
  const stake = optionalAccount(read, user, userState, programs.farms);
  return {
    address,
    account,
    user,
    stake,
    staked: stake === null ? 0n : userStaked(account, stake).floor(),
  };
}

/** The key that signs every deposit and withdrawal of a permissioned vault; null for an open vault. */
export function permissioningAuthority({ vault }: VaultAccounts): Address | null {
  return presentAddress(vault.permissioningAuthority);
}

/** The reserves of a vault in allocation order, then their markets: remaining accounts of its instructions. */
export function vaultReserveAccounts({ reserves }: Pick<VaultAccounts, 'reserves'>): RemainingAccount[] {
  return [
    ...[...reserves.keys()].map((address) => ({
      address,
      role: AccountRole.WRITABLE,
      label: 'vaultReserve',
    })),
    ...[...reserves.values()].map(({ lendingMarket }) => ({
      address: lendingMarket,
      role: AccountRole.READONLY,
      label: 'vaultReserveMarket',
    })),
  ];
}

/** Remaining accounts of deposits and withdrawals: those of the reserves, then the authority of a permissioned vault. */
export function vaultRemainingAccounts(accounts: VaultAccounts): RemainingAccount[] {
  return [...vaultReserveAccounts(accounts), ...permissionAccounts(permissioningAuthority(accounts))];
}
