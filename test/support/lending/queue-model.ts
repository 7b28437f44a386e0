import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';

/**
 * A second implementation of the withdraw queue, written from the description of the program and not from the localnet. It
 * counts in whole tokens and exact quotients. A refusal is the program's error number; state changes only without one.
 */

/** Totals of the reserve at the moment of an action: what interest has made of them is another test's subject. */
export interface ReserveTotals {
  available: bigint;
  /** Supply of the holders of collateral tokens, scaled by 2^60. */
  supplySf: bigint;
  minted: bigint;
}

export type DestinationKind = 'open' | 'closed' | 'spoilt';

export interface ModelTicket {
  readonly owner: Address;
  collateral: bigint;
  isInvalid: boolean;
}

export interface ModelOwner {
  /** Collateral tokens and liquidity of the wallet, base units. */
  collateral: bigint;
  liquidity: bigint;
  /** Collateral tokens in the vault of the owner's tickets. */
  queued: bigint;
  destination: DestinationKind;
}

/** Units of a token that is worth 1 USD in units of 10^-6, so that a minimum of whole USD is compared in them. */
const UNITS_PER_USD = 1_000_000n;
const INSUFFICIENT_TOKENS = 1;

export class QueueModel {
  readonly tickets = new Map<bigint, ModelTicket>();
  readonly owners: Map<Address, ModelOwner>;
  readonly minimumUsd: bigint;
  queued = 0n;
  issued = 0n;
  paid = 0n;

  constructor(owners: readonly Address[], collateral: bigint, minimumUsd: bigint) {
    this.minimumUsd = minimumUsd;
    const blank = { liquidity: 0n, queued: 0n, destination: 'open' as const };
    this.owners = new Map(owners.map((owner) => [owner, { ...blank, collateral }]));
  }

  enqueue(totals: ReserveTotals, owner: Address, amount: bigint): number | null {
    const wallet = this.owner(owner);
    if (wallet.destination === 'closed') return 3012;
    if (wallet.destination === 'spoilt') return 6151;
    if (amount === 0n) return 6003;
    if (this.#isTooSmall(worth(totals, amount))) return 6154;
    if (wallet.collateral < amount) return INSUFFICIENT_TOKENS;
    wallet.collateral -= amount;
    wallet.queued += amount;
    this.queued += amount;
    this.tickets.set(this.issued, { owner, collateral: amount, isInvalid: false });
    this.issued += 1n;
    return null;
  }

  /** Serves the ticket at the head of the queue, of which there must be one. */
  pay(totals: ReserveTotals): number | null {
    const ticket = this.ticket(this.paid);
    const wallet = this.owner(ticket.owner);
    if (ticket.collateral === 0n) {
      this.tickets.delete(this.paid);
      this.paid += 1n;
      return null;
    }
    if (wallet.destination === 'spoilt') {
      ticket.isInvalid = true;
      this.queued -= ticket.collateral;
      this.paid += 1n;
      return null;
    }
    const burned = lesser(ticket.collateral, redeemable(totals));
    if (burned === 0n) return 6008;
    const left = ticket.collateral - burned;
    const payment = worth(totals, burned);
    if (left > 0n) {
      if (this.#isTooSmall(worth(totals, left))) return 6154;
      if (this.#isTooSmall(payment)) return 6150;
      if (wallet.destination === 'closed') return 6148;
    }
    this.#redeem(totals, burned, payment);
    wallet.destination = 'open';
    wallet.liquidity += payment;
    wallet.queued -= burned;
    this.queued -= burned;
    ticket.collateral = left;
    if (left > 0n) return null;
    this.tickets.delete(this.paid);
    this.paid += 1n;
    return null;
  }

  cancel(totals: ReserveTotals, number: bigint, amount: bigint): number | null {
    const ticket = this.ticket(number);
    if (ticket.isInvalid) return 6152;
    if (ticket.collateral === 0n) return 6171;
    if (amount === 0n) return 6003;
    const returned = lesser(amount, ticket.collateral);
    const left = ticket.collateral - returned;
    if (left > 0n && this.#isTooSmall(worth(totals, left))) return 6154;
    ticket.collateral = left;
    this.queued -= returned;
    this.#return(ticket.owner, returned);
    return null;
  }

  recover(number: bigint): number | null {
    const ticket = this.ticket(number);
    if (!ticket.isInvalid) return 6147;
    this.#return(ticket.owner, ticket.collateral);
    this.tickets.delete(number);
    return null;
  }

  /** A redemption besides the queue. */
  redeem(totals: ReserveTotals, owner: Address, amount: bigint): number | null {
    const wallet = this.owner(owner);
    if (wallet.destination !== 'open') throw new RangeError('The destination must be open');
    if (amount === 0n) return 6003;
    const payment = worth(totals, amount);
    const owed = worth(totals, this.queued);
    if (payment + owed > totals.available && payment > 0n) return 6008;
    if (wallet.collateral < amount) return INSUFFICIENT_TOKENS;
    wallet.collateral -= amount;
    wallet.liquidity += payment;
    this.#redeem(totals, amount, payment);
    return null;
  }

  owner(address: Address): ModelOwner {
    const found = this.owners.get(address);
    if (found === undefined) throw new RangeError(`No owner ${address}`);
    return found;
  }

  ticket(number: bigint): ModelTicket {
    const found = this.tickets.get(number);
    if (found === undefined) throw new RangeError(`No ticket ${number}`);
    return found;
  }

  #isTooSmall(units: bigint): boolean {
    return units < this.minimumUsd * UNITS_PER_USD;
  }

  #return(owner: Address, amount: bigint): void {
    const wallet = this.owner(owner);
    wallet.queued -= amount;
    wallet.collateral += amount;
  }

  #redeem(totals: ReserveTotals, burned: bigint, payment: bigint): void {
    totals.available -= payment;
    totals.supplySf -= payment * FRACTION_ONE;
    totals.minted -= burned;
  }
}

/** Whole base units that collateral tokens are worth. */
function worth({ supplySf, minted }: ReserveTotals, collateral: bigint): bigint {
  return (collateral * supplySf) / (minted * FRACTION_ONE);
}

/** The most collateral tokens that the available liquidity can pay for, found by halving. */
function redeemable(totals: ReserveTotals): bigint {
  let [covered, tooMany] = [0n, totals.minted + 1n];
  while (tooMany - covered > 1n) {
    const middle = (covered + tooMany) / 2n;
    if (worth(totals, middle) <= totals.available) covered = middle;
    else tooMany = middle;
  }
  return covered;
}
