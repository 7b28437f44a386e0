import type { StoredAccount } from '@sluice/localnet/chain';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { Fields } from '@sluice/protocol/layout/struct';
import {
  MAINNET_PROGRAMS,
  presentAddress,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { EXTENSION_TYPE } from '@sluice/protocol/token/extension-types';
import { readTransferFeeConfig } from '@sluice/protocol/token/extensions';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const MINT_BYTES = 82;
const ACCOUNT_TYPE_OFFSET = 165;
const MINT_TYPE = 1;

/** Sums by address. */
class Tally {
  readonly #sums = new Map<Address, bigint>();

  add(key: Address, amount: bigint): void {
    this.#sums.set(key, this.of(key) + amount);
  }

  of(key: Address): bigint {
    return this.#sums.get(key) ?? 0n;
  }
}

/** Contribution of one account to a sum. */
type Share = readonly [tally: Tally, key: Address, amount: bigint];

/** Every account of a chain, and sums over them that follow each change. Knows nothing of the runtime. */
export class ChainBook {
  readonly #accounts = new Map<Address, StoredAccount>();
  /** By mint: base units in token accounts, with the fees withheld there and in the mint. */
  readonly held = new Tally();
  /** By reserve: collateral tokens of obligations. */
  readonly deposited = new Tally();
  /** By farm, scaled by 10^18. */
  readonly staked = new Tally();
  /** Stakes that warm up or cool down. */
  readonly pending = new Tally();
  readonly mints = new Set<Address>();
  readonly reserves = new Set<Address>();
  readonly vaults = new Set<Address>();
  readonly farms = new Set<Address>();
  /** Of all accounts. */
  lamports = 0n;

  constructor(accounts: Iterable<readonly [Address, StoredAccount]>) {
    for (const [address, account] of accounts) this.set(address, account);
  }

  get size(): number {
    return this.#accounts.size;
  }

  get(address: Address): StoredAccount | undefined {
    return this.#accounts.get(address);
  }

  /** The account at an address, which must exist. */
  at(address: Address): StoredAccount {
    const account = this.get(address);
    if (account === undefined) throw new RangeError(`There is no account ${address}`);
    return account;
  }

  set(address: Address, account: StoredAccount | undefined): void {
    const known = this.#accounts.get(address);
    if (known === account) return;
    if (known !== undefined) this.#count(known, -1n);
    if (account === undefined) this.#accounts.delete(address);
    else {
      this.#accounts.set(address, account);
      this.#count(account, 1n);
    }
    const present = account ?? known;
    if (present !== undefined) this.#list(address, present, account !== undefined);
  }

  #count(account: StoredAccount, sign: bigint): void {
    this.lamports += sign * account.lamports;
    for (const [tally, key, amount] of this.#sharesOf(account)) tally.add(key, sign * amount);
  }

  #list(address: Address, account: StoredAccount, exists: boolean): void {
    const list = this.#listOf(account);
    if (exists) list?.add(address);
    else list?.delete(address);
  }

  #listOf(account: StoredAccount): Set<Address> | null {
    if (isMint(account)) return this.mints;
    if (isA(reserve, account, klend)) return this.reserves;
    if (isA(vaultState, account, kvault)) return this.vaults;
    return isA(farmState, account, farms) ? this.farms : null;
  }

  #sharesOf(account: StoredAccount): Share[] {
    if (isTokenAccount(account)) {
      const { mint, amount, extensions } = decodeTokenAccount(account);
      const fees = extensions.find(({ type }) => type === EXTENSION_TYPE.transferFeeAmount);
      const withheld = fees === undefined ? 0n : viewOf(fees.data).getBigUint64(0, true);
      return [[this.held, mint, amount + withheld]];
    }
    if (isA(obligation, account, klend)) {
      return obligation.decode(account, klend).deposits.flatMap(({ depositReserve, depositedAmount }) => {
        const address = presentAddress(depositReserve);
        return address === null ? [] : [[this.deposited, address, depositedAmount] as const];
      });
    }
    if (isA(userState, account, farms)) {
      const user = userState.decode(account, farms);
      return [
        [this.staked, user.farmState, user.activeStakeScaled],
        [this.pending, user.farmState, user.pendingDepositStakeScaled],
        [this.pending, user.farmState, user.pendingWithdrawalUnstakeScaled],
      ];
    }
    return [];
  }
}

/** Base units that a mint accounts for, without those withheld in it. */
export function circulating(account: StoredAccount): bigint {
  const { supply, extensions } = decodeMint(account);
  return supply - (readTransferFeeConfig(extensions)?.withheldAmount ?? 0n);
}

const isOfTokens = ({ owner }: StoredAccount) => owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;

export function isMint(account: StoredAccount): boolean {
  const { data } = account;
  return isOfTokens(account) && (data.length === MINT_BYTES || data[ACCOUNT_TYPE_OFFSET] === MINT_TYPE);
}

/** Whether it is an initialised token account. */
export function isTokenAccount(account: StoredAccount): boolean {
  const { data } = account;
  const stateOffset = 108;
  return isOfTokens(account) && !isMint(account) && data.length >= 165 && data[stateOffset] !== 0;
}

export function isA<F extends Fields>(
  { discriminator }: AccountLayout<F>,
  { owner, data }: StoredAccount,
  program: Address,
): boolean {
  return owner === program && discriminator.every((byte, i) => data[i] === byte);
}
