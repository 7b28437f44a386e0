import type { StoredAccount } from '@sluice/localnet/chain';
import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import type { Reserve as ReserveModel, Vault } from '@sluice/localnet/world/model';
import { timeOf } from '@sluice/localnet/world/time';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeMint, encodeMint } from '@sluice/protocol/token/mint';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ProgramBench } from '../../../packages/localnet/test/support/runtime/program-bench.ts';
import { named } from '../../../packages/protocol/test/support/transaction-maker.ts';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import { type VaultAccounts, vaultAccounts } from '../../../src/builders/vault/accounts.ts';
import type { Moment } from '../../../src/domain/moment.ts';
import { sharedWorld } from './shared-world.ts';

const RENT_LAMPORTS = 2_039_280n;

/** A reserve of a vault in round numbers, base units. Nothing accrues. */
export interface SmallReserve {
  readonly available: bigint;
  readonly lent?: bigint;
  readonly minted: bigint;
  /** Collateral tokens of the vault. */
  readonly owned: bigint;
}

/** A vault in round numbers: no fees, no penalty and no minimum unless changed. */
export interface SmallVault {
  readonly idle: bigint;
  readonly sharesIssued: bigint;
  readonly reserves: readonly SmallReserve[];
  readonly change?: StructInput<typeof vaultState.body.fields>;
}

/** A bench with the accounts of the generated world, one of its vaults and a new wallet. */
export class VaultBench extends ProgramBench {
  readonly vault: Vault;
  readonly wallet = named('wallet of the bench');

  constructor(name: string) {
    const localChain = sharedWorld();
    const found = localChain.world.vaults.find((vault) => vault.name === name);
    if (found === undefined) throw new RangeError(`The world has no vault ${name}`);
    const slot = localChain.slot + 1_000n;
    const clock = { slot, unixTimestamp: BigInt(timeOf(slot)) };
    super(PROGRAMS.values(), clock, { get: (address) => localChain.account(address) });
    this.vault = found;
    this.set(this.wallet, {
      owner: SYSTEM_PROGRAM,
      lamports: 10n ** 12n,
      data: new Uint8Array(0),
      executable: false,
    });
  }

  get moment(): Moment {
    const { slot, unixTimestamp } = this.clock;
    return { slot, timestamp: unixTimestamp, slotDurationMs: Rational.of(400n) };
  }

  get tokenAccount(): Address {
    const { mint } = this.vault.token;
    return associatedTokenAddress(this.wallet, mint.program, mint.address).address;
  }

  get shareAccount(): Address {
    return associatedTokenAddress(this.wallet, TOKEN_PROGRAM, this.vault.sharesMint.address).address;
  }

  reserveAddress(index: number): Address {
    const allocation = this.vault.allocations[index];
    if (allocation === undefined) throw new RangeError(`${this.vault.name} has no allocation ${index}`);
    return allocation.reserve.address;
  }

  modelOf(address: Address): ReserveModel {
    const found = sharedWorld().world.reserves.find((each) => each.address === address);
    if (found === undefined) throw new RangeError(`The world has no reserve ${address}`);
    return found;
  }

  /** Accounts that the builders read. */
  accounts(): VaultAccounts {
    const read: ReadAccounts = (address) => {
      const account = this.get(address);
      return account === undefined || account.lamports === 0n ? null : account;
    };
    return vaultAccounts(
      { programs: MAINNET_PROGRAMS, wallet: this.wallet, vault: this.vault.address, lookupTables: [] },
      read,
      this.clock.slot,
    );
  }

  state(): VaultState {
    return vaultState.decode(this.account(this.vault.address), MAINNET_PROGRAMS.kvault);
  }

  reserve(address: Address): Reserve {
    return reserve.decode(this.account(address), MAINNET_PROGRAMS.klend);
  }

  account(address: Address): StoredAccount {
    const account = this.get(address);
    if (account === undefined) throw new RangeError(`There is no account ${address}`);
    return account;
  }

  /** Base units in a token account; 0 when it does not exist. */
  balance(address: Address): bigint {
    const account = this.get(address);
    return account === undefined || account.lamports === 0n ? 0n : decodeTokenAccount(account).amount;
  }

  supply(mint: Address): bigint {
    return decodeMint(this.account(mint)).supply;
  }

  /** Gives the wallet tokens and shares that come from nowhere; opens both accounts. */
  fund(tokens: bigint, shares = 0n): void {
    const { tokenVault, sharesMint } = this.vault;
    const like = this.account(tokenVault.address);
    const template = decodeTokenAccount(like);
    const native = template.nativeRentLamports === null ? 0n : tokens;
    const account = { ...template, owner: this.wallet, amount: tokens };
    this.#put(this.tokenAccount, like.owner, RENT_LAMPORTS + native, account);
    this.openAccount(this.shareAccount, sharesMint.address, this.wallet, shares);
  }

  /** An account of an SPL token. */
  openAccount(address: Address, mint: Address, owner: Address, amount: bigint): void {
    const blank = { delegate: null, delegatedAmount: 0n, frozen: false, closeAuthority: null };
    const account = { ...blank, mint, owner, amount, nativeRentLamports: null, extensions: [] };
    this.#put(address, TOKEN_PROGRAM, RENT_LAMPORTS, account);
  }

  /** Leaves an address without an account. */
  forget(address: Address): void {
    this.set(address, { owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array(0), executable: false });
  }

  setBalance(address: Address, amount: bigint): void {
    const account = this.account(address);
    const decoded = decodeTokenAccount(account);
    const native = decoded.nativeRentLamports;
    const lamports = native === null ? account.lamports : native + amount;
    this.#put(address, account.owner, lamports, { ...decoded, amount });
  }

  setSupply(mint: Address, supply: bigint): void {
    const account = this.account(mint);
    this.set(mint, { ...account, data: encodeMint({ ...decodeMint(account), supply }) });
  }

  /** Writes fields of an account and leaves the others. */
  change<F extends Fields>(address: Address, layout: AccountLayout<F>, fields: StructInput<F>): void {
    const account = this.account(address);
    const data = account.data.slice();
    layout.body.write(viewOf(data), layout.discriminator.length, fields);
    this.set(address, { ...account, data });
  }

  changeVault(fields: StructInput<typeof vaultState.body.fields>): void {
    this.change(this.vault.address, vaultState, fields);
  }

  /** Replaces the numbers of the vault and of its reserves, balances included. */
  shrink({ idle, sharesIssued, reserves, change }: SmallVault): void {
    const { kvault } = MAINNET_PROGRAMS;
    const { slot, unixTimestamp } = this.clock;
    const valueSf = reserves.reduce(
      (sum, { available, lent = 0n, minted, owned }) =>
        minted === 0n ? sum : sum + (owned * (available + lent) * FRACTION_ONE) / minted,
      idle * FRACTION_ONE,
    );
    this.vault.allocations.forEach((allocation, index) => {
      const { available, lent = 0n, minted } = reserves[index] ?? { available: 0n, minted: 0n };
      const { address, liquidityVault, collateralMint } = allocation.reserve;
      this.change(address, reserve, {
        lastUpdate: { slot, stale: 0, timestamp: Number(unixTimestamp) },
        liquidity: {
          totalAvailableAmount: available,
          borrowedAmountSf: lent * FRACTION_ONE,
          accumulatedProtocolFeesSf: 0n,
          accumulatedReferrerFeesSf: 0n,
          pendingReferrerFeesSf: 0n,
        },
        collateral: { mintTotalSupply: minted },
      });
      this.setBalance(liquidityVault.address, available);
      this.setSupply(collateralMint.address, minted);
      this.setBalance(allocation.holding.address, reserves[index]?.owned ?? 0n);
    });
    this.setBalance(this.vault.tokenVault.address, idle);
    this.setSupply(this.vault.sharesMint.address, sharesIssued);
    this.change(vaultGlobalConfigAddress(kvault).address, vaultGlobalConfig, {
      withdrawalPenaltyBps: 0n,
      withdrawalPenaltyLamports: 0n,
    });
    this.changeVault({
      tokenAvailable: idle,
      sharesIssued,
      availableCrankFunds: 0n,
      crankFundFeePerReserve: 0n,
      performanceFeeBps: 0n,
      managementFeeBps: 0n,
      lastFeeChargeTimestamp: unixTimestamp,
      prevAumSf: valueSf,
      pendingFeesSf: 0n,
      minDepositAmount: 0n,
      minWithdrawAmount: 0n,
      minInvestAmount: 0n,
      withdrawalPenaltyBps: 0n,
      withdrawalPenaltyLamports: 0n,
      unallocatedWeight: 0n,
      vaultAllocationStrategy: this.vault.allocations.map((_, index) => ({
        ctokenAllocation: reserves[index]?.owned ?? 0n,
        lastInvestSlot: 0n,
      })),
      ...change,
    });
  }

  #put(
    address: Address,
    owner: Address,
    lamports: bigint,
    account: Omit<TokenAccount, 'tokenProgram' | 'size'>,
  ): void {
    this.set(address, { owner, lamports, executable: false, data: encodeTokenAccount(account) });
  }
}
