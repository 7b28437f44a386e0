import type { Address } from '@solana/kit';
import type { LedgerAccount } from '../../../src/demo/ledger.ts';
import { farmState } from '../../../src/programs/farms/farm-state.ts';
import { userState } from '../../../src/programs/farms/user-state.ts';
import { obligation } from '../../../src/programs/klend/obligation.ts';
import { reserve } from '../../../src/programs/klend/reserve.ts';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import { type AccountLayout, viewOf } from '../../../src/programs/layout/account.ts';
import type { Fields } from '../../../src/programs/layout/struct.ts';
import {
  MAINNET_PROGRAMS,
  presentAddress,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/programs/program-ids.ts';
import { EXTENSION_TYPE } from '../../../src/programs/token/extension-types.ts';
import { readTransferFeeConfig } from '../../../src/programs/token/extensions.ts';
import { decodeMint } from '../../../src/programs/token/mint.ts';
import { decodeTokenAccount } from '../../../src/programs/token/token-account.ts';

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

/** What one account adds to a sum. */
type Share = readonly [tally: Tally, key: Address, amount: bigint];

/** Every account of a chain, and sums over them that follow each change. Knows nothing of the runtime. */
export class ChainBook {
  readonly #accounts = new Map<Address, LedgerAccount>();
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

  constructor(accounts: Iterable<readonly [Address, LedgerAccount]>) {
    for (const [address, account] of accounts) this.set(address, account);
  }

  get size(): number {
    return this.#accounts.size;
  }

  get(address: Address): LedgerAccount | undefined {
    return this.#accounts.get(address);
  }

  /** The account at an address, which must exist. */
  at(address: Address): LedgerAccount {
    const account = this.get(address);
    if (account === undefined) throw new RangeError(`There is no account ${address}`);
    return account;
  }

  set(address: Address, account: LedgerAccount | undefined): void {
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

  #count(account: LedgerAccount, sign: bigint): void {
    this.lamports += sign * account.lamports;
    for (const [tally, key, amount] of this.#sharesOf(account)) tally.add(key, sign * amount);
  }

  #list(address: Address, account: LedgerAccount, exists: boolean): void {
    const list = this.#listOf(account);
    if (exists) list?.add(address);
    else list?.delete(address);
  }

  #listOf(account: LedgerAccount): Set<Address> | null {
    if (isMint(account)) return this.mints;
    if (isA(reserve, account, klend)) return this.reserves;
    if (isA(vaultState, account, kvault)) return this.vaults;
    return isA(farmState, account, farms) ? this.farms : null;
  }

  #sharesOf(account: LedgerAccount): Share[] {
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
export function circulating(account: LedgerAccount): bigint {
  const { supply, extensions } = decodeMint(account);
  return supply - (readTransferFeeConfig(extensions)?.withheldAmount ?? 0n);
}

const isOfTokens = ({ owner }: LedgerAccount) => owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;

export function isMint(account: LedgerAccount): boolean {
  const { data } = account;
  return isOfTokens(account) && (data.length === MINT_BYTES || data[ACCOUNT_TYPE_OFFSET] === MINT_TYPE);
}

/** Whether it is an initialised token account. */
export function isTokenAccount(account: LedgerAccount): boolean {
  const { data } = account;
  const stateOffset = 108;
  return isOfTokens(account) && !isMint(account) && data.length >= 165 && data[stateOffset] !== 0;
}

export function isA<F extends Fields>(
  { discriminator }: AccountLayout<F>,
  { owner, data }: LedgerAccount,
  program: Address,
): boolean {
  return owner === program && discriminator.every((byte, i) => data[i] === byte);
}
