import { createHash } from 'node:crypto';
import { obligation } from '@sluice/protocol/klend/obligation';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { type ProgramIds, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeTokenAccount, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { PositionAccount, PositionChange } from '../../src/chain/positions/position-kinds.ts';
import type { Positions } from '../../src/chain/positions/positions.ts';
import type { View } from '../../src/chain/view/view.ts';

export interface PositionCounts {
  readonly obligations: number;
  readonly shares: number;
}

/** Fields of an obligation that its refresh writes. */
const LAST_UPDATE_AT = obligation.offsetOf('lastUpdate');
const DEPOSIT_VALUE_AT = obligation.offsetOf('deposits') + 40;
const DEBT_AT = obligation.offsetOf('borrows') + 88;
const TOTALS_AT = obligation.offsetOf('borrowFactorAdjustedDebtValueSf');
const VALUE_BYTES = 9;

/** `200000x300000`: obligations and share accounts. */
export function parseCounts(text: string): PositionCounts {
  const [obligations = 0, shares = 0] = text.split('x').map(Number);
  return { obligations, shares };
}

/** Accounts of wallets in the markets and vaults of a View, with addresses and amounts that do not compress. */
export class SyntheticPositions {
  readonly #counts: PositionCounts;
  readonly #programs: ProgramIds;
  readonly #reserves: readonly (readonly [market: Address, reserve: Address])[];
  readonly #mints: readonly Address[];
  #next = 0;

  constructor(counts: PositionCounts, view: View, programs: ProgramIds) {
    this.#counts = counts;
    this.#programs = programs;
    this.#reserves = [...view.all('reserve').values()].map(({ address, value }) => [
      value.lendingMarket,
      address,
    ]);
    this.#mints = [...view.all('vault').values()].map(({ value }) => value.sharesMint);
  }

  *all(slot: bigint): Generator<PositionAccount> {
    for (let i = 0; i < this.#counts.obligations; i += 1) yield this.#obligation(i, slot);
    for (let i = 0; i < this.#counts.shares; i += 1) yield this.#share(i, slot);
  }

  /** So many changes of amounts, of obligations and share accounts in turns. */
  changes(count: number, positions: Positions, slot: bigint): PositionChange[] {
    return Array.from({ length: count }, () => this.#change(positions, slot)).flatMap(
      (change) => change ?? [],
    );
  }

  #change(positions: Positions, slot: bigint): PositionChange | null {
    this.#next += 1;
    const random = digest(`change ${this.#next}`);
    const isObligation = this.#next % 2 === 0;
    const { obligations, shares } = this.#counts;
    const index = random.readUInt32LE() % (isObligation ? obligations : shares);
    const kind = isObligation ? 'obligation' : 'tokenAccount';
    const address = addressOf(`${kind} ${index}`);
    const account = positions.account(kind, address);
    if (account === null) return null;
    const data = account.data.slice();
    if (isObligation) {
      new DataView(data.buffer).setBigUint64(LAST_UPDATE_AT, slot, true);
      for (const [i, at] of [DEPOSIT_VALUE_AT, DEBT_AT, TOTALS_AT].entries()) {
        if (data[at + VALUE_BYTES - 1] !== 0)
          data.set(random.subarray(i * VALUE_BYTES, (i + 1) * VALUE_BYTES), at);
      }
    } else data.set(random.subarray(0, 5), TOKEN_ACCOUNT_OFFSETS.amount);
    return { kind, address, account: { ...account, data, slot }, slot };
  }

  #obligation(index: number, slot: bigint): PositionAccount {
    const random = digest(`amounts ${index}`);
    const deposits = 1 + (index % 3);
    const borrows = index % 2;
    const [market, reserve] = this.#reserves[index % this.#reserves.length] ?? missing();
    const value = (at: number) => random.readBigUInt64LE(at) << 4n;
    const data = obligation.encode({
      tag: BigInt(index % 4),
      lastUpdate: { slot },
      lendingMarket: market,
      owner: addressOf(`wallet ${index % 150_000}`),
      deposits: Array.from({ length: deposits }, (_, i) => ({
        depositReserve: this.#reserves[(index + i) % this.#reserves.length]?.[1] ?? reserve,
        depositedAmount: random.readBigUInt64LE(i) >> 20n,
        marketValueSf: value(i + 3),
      })),
      borrows: Array.from({ length: borrows }, () => ({
        borrowReserve: reserve,
        cumulativeBorrowRateBsf: { value: [random.readBigUInt64LE(5), 1n, 0n, 0n] },
        lastBorrowedAtTimestamp: 1_700_000_000n + BigInt(index),
        borrowedAmountSf: value(7),
        marketValueSf: value(9),
        borrowFactorAdjustedMarketValueSf: value(11),
      })),
      depositedValueSf: value(13),
      borrowFactorAdjustedDebtValueSf: borrows === 0 ? 0n : value(15),
      borrowedAssetsMarketValueSf: borrows === 0 ? 0n : value(17),
      allowedBorrowValueSf: value(19),
      unhealthyBorrowValueSf: value(21),
      hasDebt: borrows,
    });
    const address = addressOf(`obligation ${index}`);
    return {
      kind: 'obligation',
      account: { address, owner: this.#programs.klend, data, lamports: 24_165_120n, slot },
    };
  }

  #share(index: number, slot: bigint): PositionAccount {
    const data = encodeTokenAccount({
      mint: this.#mints[index % this.#mints.length] ?? missing(),
      owner: addressOf(`wallet ${index % 250_000}`),
      amount: digest(`share ${index}`).readBigUInt64LE() >> 24n,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: null,
      closeAuthority: null,
      extensions: [],
    });
    const address = addressOf(`tokenAccount ${index}`);
    return {
      kind: 'tokenAccount',
      account: { address, owner: TOKEN_PROGRAM, data, lamports: 2_039_280n, slot },
    };
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const addressOf = (text: string): Address => addressFromBytes(digest(text));

function missing(): never {
  throw new Error('the View has no reserves or vaults');
}
