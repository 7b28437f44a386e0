import { obligation as layout, type Obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes, readAddress } from '@sluice/protocol/layout/base58';
import {
  fromBigScaledFraction,
  toScaledFraction,
  U64_MAX,
  U128_MAX,
} from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import { MARK_BYTES } from '../../chain/accounts/obligation-index-reads.ts';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import type { Loan } from '../../domain/risk/loan.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

/**
 * A loan in the index, about 150 bytes instead of the 3,344 of the account: address, owner, mark, counts, then 10 bytes per
 * deposit and 50 per debt.
 */
const OWNER_AT = 32;
const MARK_AT = 64;
const COUNTS_AT = MARK_AT + MARK_BYTES;
const HEAD_BYTES = COUNTS_AT + 4;
const DEPOSIT_BYTES = 10;
const DEBT_BYTES = 50;

/** Numbers of reserves, in the order in which loans named them first. Shared by all states of a market's index. */
export class ReserveNumbers {
  readonly addresses: Address[] = [];
  readonly #numbers = new Map<Address, number>();

  of(address: Address): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    const number = this.addresses.length;
    this.addresses.push(address);
    this.#numbers.set(address, number);
    return number;
  }
}

/** Space for one account, used within one call only: what is read of an obligation ends after its positions. */
const whole = new Uint8Array(layout.size);
const MARK_IN_ACCOUNT = layout.offsetOf('lastUpdate');

/** The record of an obligation, and the numbers of its positions. */
export interface PackedObligation {
  readonly record: Uint8Array;
  readonly deposits: number;
  readonly debts: number;
}

/** @throws SluiceError when it is not an obligation */
export function packObligation(
  account: ChainAccount,
  program: Address,
  reserves: ReserveNumbers,
): PackedObligation {
  const { address, owner, data } = account;
  whole.fill(0);
  whole.set(data.subarray(0, whole.length));
  const obligation = layout.decode({ address, owner, data: whole }, program);
  const mark = data.subarray(MARK_IN_ACCOUNT, MARK_IN_ACCOUNT + MARK_BYTES);
  const loan = riskInputOf(obligation, reserves);
  const record = encodeLoan(address, mark, obligation, loan);
  return { record, deposits: loan.deposits.length, debts: loan.debts.length };
}

/** The positions of an obligation. */
export function riskInputOf(obligation: Obligation, reserves: ReserveNumbers): Loan {
  return {
    elevationGroup: obligation.elevationGroup,
    deposits: activeDeposits(obligation).map(({ depositReserve, depositedAmount }) => ({
      reserve: reserves.of(depositReserve),
      collateral: depositedAmount,
    })),
    debts: activeBorrows(obligation).map((debt) => ({
      reserve: reserves.of(debt.borrowReserve),
      amountSf: debt.borrowedAmountSf,
      rateSf: toScaledFraction(fromBigScaledFraction(debt.cumulativeBorrowRateBsf.value)),
      lastBorrowedAtTimestamp: debt.lastBorrowedAtTimestamp,
      borrowedAmountAtExpiration: debt.borrowedAmountAtExpiration,
    })),
  };
}

/** @throws SluiceError ACCOUNT_MALFORMED for a rate beyond anything that interest can reach */
function encodeLoan(
  address: Address,
  mark: Uint8Array,
  obligation: Obligation,
  { deposits, debts }: Loan,
): Uint8Array {
  const size = HEAD_BYTES + deposits.length * DEPOSIT_BYTES + debts.length * DEBT_BYTES;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(addressBytes(address));
  bytes.set(addressBytes(obligation.owner), OWNER_AT);
  bytes.set(mark, MARK_AT);
  bytes.set([obligation.elevationGroup, tagByte(obligation), deposits.length, debts.length], COUNTS_AT);
  let at = HEAD_BYTES;
  for (const { reserve, collateral } of deposits) {
    view.setUint16(at, reserve);
    view.setBigUint64(at + 2, collateral);
    at += DEPOSIT_BYTES;
  }
  for (const { reserve, amountSf, rateSf, ...term } of debts) {
    if (rateSf > U128_MAX) {
      const reason = 'its cumulative borrow rate is out of range';
      throw new SluiceError('ACCOUNT_MALFORMED', { account: 'Obligation', address, reason });
    }
    view.setUint16(at, reserve);
    setU128(view, at + 2, amountSf);
    setU128(view, at + 18, rateSf);
    view.setBigUint64(at + 34, term.lastBorrowedAtTimestamp);
    view.setBigUint64(at + 42, term.borrowedAmountAtExpiration);
    at += DEBT_BYTES;
  }
  return bytes;
}

export function unpackAt(view: DataView, start: number): Loan {
  const deposits: Loan['deposits'][number][] = [];
  const debts: Loan['debts'][number][] = [];
  const elevationGroup = view.getUint8(start + COUNTS_AT);
  const depositCount = view.getUint8(start + COUNTS_AT + 2);
  const debtCount = view.getUint8(start + COUNTS_AT + 3);
  let at = start + HEAD_BYTES;
  for (let i = 0; i < depositCount; i += 1, at += DEPOSIT_BYTES) {
    deposits.push({ reserve: view.getUint16(at), collateral: view.getBigUint64(at + 2) });
  }
  for (let i = 0; i < debtCount; i += 1, at += DEBT_BYTES) {
    debts.push({
      reserve: view.getUint16(at),
      amountSf: u128(view, at + 2),
      rateSf: u128(view, at + 18),
      lastBorrowedAtTimestamp: view.getBigUint64(at + 34),
      borrowedAmountAtExpiration: view.getBigUint64(at + 42),
    });
  }
  return { elevationGroup, deposits, debts };
}

export const addressAt = (view: DataView, start: number): Address => readAddress(view, start);
export const ownerAt = (view: DataView, start: number): Address => readAddress(view, start + OWNER_AT);
export const tagAt = (view: DataView, start: number): number => view.getUint8(start + COUNTS_AT + 1);

/** The owner's bytes as a string of 32 characters: a key that costs less than the address. */
export function ownerKeyAt(bytes: Uint8Array, start: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start + OWNER_AT, 32).toString('latin1');
}

/** Whether the loan at this place still has the mark. */
export function hasMark(bytes: Uint8Array, start: number, mark: Uint8Array): boolean {
  for (let i = 0; i < MARK_BYTES; i += 1) if (bytes[start + MARK_AT + i] !== mark[i]) return false;
  return true;
}

/** The slot in a mark: when the program last refreshed the loan. */
export function markedSlot(mark: Uint8Array): bigint {
  return new DataView(mark.buffer, mark.byteOffset, mark.byteLength).getBigUint64(0, true);
}

/** An unknown tag is 255. */
function tagByte({ tag }: Obligation): number {
  return tag < 255n ? Number(tag) : 255;
}

function setU128(view: DataView, at: number, value: bigint): void {
  view.setBigUint64(at, value >> 64n);
  view.setBigUint64(at + 8, value & U64_MAX);
}

function u128(view: DataView, at: number): bigint {
  const high = view.getBigUint64(at);
  const low = view.getBigUint64(at + 8);
  return high === 0n ? low : (high << 64n) | low;
}
