import { createHash } from 'node:crypto';
import type { StoredAccount } from '@sluice/localnet/chain';
import type { Reserve, Vault } from '@sluice/localnet/world/model';
import { lastUpdate } from '@sluice/protocol/klend/last-update';
import { obligation, obligationCollateral, obligationLiquidity } from '@sluice/protocol/klend/obligation';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { encodeTokenAccount, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';

export interface PeopleCounts {
  readonly obligations: number;
  readonly shares: number;
}

type Entry = readonly [Address, StoredAccount];

const { klend } = MAINNET_PROGRAMS;
const OWNER = obligation.offsetOf('owner');
const DEPOSIT = obligation.offsetOf('deposits');
const BORROW = obligation.offsetOf('borrows');
const REFRESHED_SLOT = obligation.offsetOf('lastUpdate') + lastUpdate.offsets.slot;
const MAX_DEPOSITS = 3;
/** Bytes of an amount of tokens, and of a value in USD scaled by 2^60. */
const AMOUNT_BYTES = 5;
const VALUE_BYTES = 9;
const OBLIGATION_LAMPORTS = 24_165_120n;
const TOKEN_ACCOUNT_LAMPORTS = 2_039_280n;
const U64 = (1n << 64n) - 1n;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Wallets are numbered from 0. Each has one obligation, and the first ones have shares of one or two vaults. */
export const walletOf = (index: number): Address => addressFromBytes(digest(`wallet ${index}`));

export const obligationOf = (index: number): Address => addressFromBytes(digest(`obligation ${index}`));

/** Accounts of more wallets than a localnet has, in its markets and vaults, with amounts that do not compress. */
export class People {
  readonly #counts: PeopleCounts;
  readonly #accounts = new Map<Address, StoredAccount>();
  readonly #byProgram = new Map<Address, Address[]>();
  readonly #obligations: Address[] = [];
  readonly #shares: Address[] = [];
  readonly #templates = new Map<string, Uint8Array>();
  #changes = 0;

  constructor(counts: PeopleCounts, reserves: readonly Reserve[], vaults: readonly Vault[]) {
    this.#counts = counts;
    for (let i = 0; i < counts.obligations; i += 1)
      this.#obligations.push(this.#add(this.#obligation(i, reserves)));
    for (let i = 0; i < counts.shares; i += 1) this.#shares.push(this.#add(this.#share(i, vaults)));
  }

  account(address: Address): StoredAccount | undefined {
    return this.#accounts.get(address);
  }

  *ofProgram(program: Address): Iterable<Entry> {
    for (const address of this.#byProgram.get(program) ?? []) {
      const account = this.#accounts.get(address);
      if (account !== undefined) yield [address, account];
    }
  }

  /** So many transactions: obligations and share accounts in turns, at random. */
  changeSome(count: number, slot: bigint): Address[] {
    return Array.from({ length: count }, (_, i) => {
      const addresses = i % 2 === 0 ? this.#obligations : this.#shares;
      this.#changes += 1;
      const random = digest(`change ${this.#changes}`).readUInt32LE();
      return addresses[random % addresses.length];
    }).flatMap((address) => (address === undefined ? [] : [this.change(address, slot)]));
  }

  /** Changes the first deposit of an obligation, or the amount of shares. Bytes are replaced: others may hold the old ones. */
  change(address: Address, slot: bigint): Address {
    const account = this.#accounts.get(address);
    if (account === undefined) throw new RangeError(`${address} is not an account of these wallets`);
    const data = account.data.slice();
    const random = digest(`${address} ${slot}`);
    const isObligation = account.owner === klend;
    const at = isObligation
      ? DEPOSIT + obligationCollateral.offsets.depositedAmount
      : TOKEN_ACCOUNT_OFFSETS.amount;
    data.set(random.subarray(0, AMOUNT_BYTES), at);
    if (isObligation) {
      new DataView(data.buffer).setBigUint64(REFRESHED_SLOT, slot, true);
      data.set(
        random.subarray(AMOUNT_BYTES, AMOUNT_BYTES + VALUE_BYTES),
        DEPOSIT + obligationCollateral.offsets.marketValueSf,
      );
    }
    this.#accounts.set(address, { ...account, data });
    return address;
  }

  #add([address, account]: Entry): Address {
    this.#accounts.set(address, account);
    const known = this.#byProgram.get(account.owner);
    if (known === undefined) this.#byProgram.set(account.owner, [address]);
    else known.push(address);
    return address;
  }

  #obligation(index: number, reserves: readonly Reserve[]): Entry {
    const reserve = reserves[index % reserves.length] ?? missing();
    const deposits = Math.min(1 + (index % MAX_DEPOSITS), reserve.market.reserves.length);
    const hasDebt = index % 2 === 0;
    const data = this.#template(reserve, deposits, hasDebt).slice();
    const random = digest(`amounts ${index}`);
    const put = (at: number, bytes: number, from: number) =>
      data.set(random.subarray(from, from + bytes), at);
    data.set(digest(`wallet ${index}`), OWNER);
    for (let i = 0; i < deposits; i += 1) {
      const deposit = DEPOSIT + i * obligationCollateral.size;
      put(deposit + obligationCollateral.offsets.depositedAmount, AMOUNT_BYTES, i);
      put(deposit + obligationCollateral.offsets.marketValueSf, VALUE_BYTES, i + 4);
    }
    put(obligation.offsetOf('depositedValueSf'), VALUE_BYTES, 12);
    put(obligation.offsetOf('allowedBorrowValueSf'), VALUE_BYTES, 14);
    put(obligation.offsetOf('unhealthyBorrowValueSf'), VALUE_BYTES, 16);
    if (hasDebt) {
      put(BORROW + obligationLiquidity.offsets.borrowedAmountSf, VALUE_BYTES, 18);
      put(BORROW + obligationLiquidity.offsets.marketValueSf, VALUE_BYTES, 20);
      put(BORROW + obligationLiquidity.offsets.borrowFactorAdjustedMarketValueSf, VALUE_BYTES, 20);
      put(obligation.offsetOf('borrowFactorAdjustedDebtValueSf'), VALUE_BYTES, 20);
      put(obligation.offsetOf('borrowedAssetsMarketValueSf'), VALUE_BYTES, 20);
    }
    const account = { owner: klend, lamports: OBLIGATION_LAMPORTS, data, executable: false };
    return [obligationOf(index), account];
  }

  /** What obligations of a shape have in common. Encoding each one would take minutes. */
  #template(reserve: Reserve, deposits: number, hasDebt: boolean): Uint8Array {
    const key = `${reserve.address} ${deposits} ${hasDebt}`;
    const known = this.#templates.get(key);
    if (known !== undefined) return known;
    const { market } = reserve;
    const from = market.reserves.indexOf(reserve);
    const rate = reserve.cumulativeRateSf;
    const data = obligation.encode({
      lendingMarket: market.address,
      deposits: Array.from({ length: deposits }, (_, i) => ({
        depositReserve: market.reserves[(from + i) % market.reserves.length]?.address ?? missing(),
        depositedAmount: 1n,
      })),
      borrows: hasDebt
        ? [
            {
              borrowReserve: reserve.address,
              cumulativeBorrowRateBsf: { value: [rate & U64, rate >> 64n, 0n, 0n] },
            },
          ]
        : [],
      hasDebt: hasDebt ? 1 : 0,
    });
    this.#templates.set(key, data);
    return data;
  }

  #share(index: number, vaults: readonly Vault[]): Entry {
    const { sharesMint } = vaults[index % vaults.length] ?? missing();
    const data = encodeTokenAccount({
      mint: sharesMint.address,
      owner: walletOf(index % this.#counts.obligations),
      amount: BigInt(digest(`shares ${index}`).readUIntLE(0, AMOUNT_BYTES)),
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: null,
      closeAuthority: null,
      extensions: [],
    });
    const account = { owner: sharesMint.program, lamports: TOKEN_ACCOUNT_LAMPORTS, data, executable: false };
    return [addressFromBytes(digest(`share account ${index}`)), account];
  }
}

function missing(): never {
  throw new Error('the world has no reserves or vaults');
}
