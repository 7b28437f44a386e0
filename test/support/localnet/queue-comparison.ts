import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { expect } from 'vitest';
import { QueueModel, type ReserveTotals } from '../lending/queue-model.ts';
import { COLLATERAL, OWNERS, PAYER, QueueBench } from './queue-bench.ts';

const MINIMUM_USD = 2n;
/** Little liquidity, so that tickets wait. Interest lets the price of a collateral token rise from 1.25. */
const SHORT = { available: 3_000_000n, borrowed: 1_249_997_000_000n, collateral: 1_000_000_000_000n };

const FREQUENCIES = {
  enqueue: 6,
  pay: 9,
  cancel: 4,
  recover: 2,
  redeem: 3,
  repay: 5,
  lend: 3,
  spoil: 1,
  close: 2,
  open: 7,
} as const;

type Kind = keyof typeof FREQUENCIES;

/** A step of a random sequence: an action on the queue, or a change of its surroundings. */
export const queueStep = fc.record({
  kind: fc.oneof(
    ...Object.entries(FREQUENCIES).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  owner: fc.constantFrom(...OWNERS),
  pick: fc.nat(1_000),
  /** Base units; some of them next to the minimum of 1.6 collateral tokens. */
  amount: fc.oneof(
    { weight: 5, arbitrary: fc.bigInt(1_000_000n, 9_000_000n) },
    { weight: 2, arbitrary: fc.bigInt(1_599_990n, 1_600_010n) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 20_000_000_000n) },
  ),
  /** Slots before the step. */
  wait: fc.constantFrom(0n, 0n, 1n, 5_000n),
});

type Step = typeof queueStep extends fc.Arbitrary<infer T> ? T : never;

interface Trial {
  readonly instruction: EncodedInstruction;
  readonly expected: (totals: ReserveTotals) => number | null;
}

/** The localnet and the second implementation of the withdraw queue, side by side. */
export class QueueComparison {
  readonly #bench = new QueueBench(SHORT, { minWithdrawQueuedLiquidityValue: MINIMUM_USD });
  readonly #model = new QueueModel(OWNERS, COLLATERAL, MINIMUM_USD);
  /** Results that occurred, as "action result". */
  readonly seen = new Set<string>();
  /** Actions that both sides took or refused. */
  compared = 0;

  /** Expects the same result, and the same balances to the base unit. */
  take(step: Step): void {
    this.#bench.wait(step.wait);
    const trial = this.#trial(step);
    if (trial === null) this.#changeSurroundings(step);
    else this.#compare(step.kind, trial);
  }

  /** Null where the step acts on no queue. */
  #trial({ kind, owner, pick, amount }: Step): Trial | null {
    const [bench, model] = [this.#bench, this.#model];
    const tickets = [...model.tickets.keys()];
    const number = tickets[pick % tickets.length];
    if (kind === 'enqueue') {
      return {
        instruction: bench.enqueueing(owner, amount),
        expected: (totals) => model.enqueue(totals, owner, amount),
      };
    }
    if (kind === 'pay' && model.paid < model.issued) {
      return { instruction: bench.paying(model.paid), expected: (totals) => model.pay(totals) };
    }
    if (kind === 'cancel' && number !== undefined) {
      return {
        instruction: bench.cancelling(model.ticket(number).owner, number, amount),
        expected: (totals) => model.cancel(totals, number, amount),
      };
    }
    if (kind === 'recover' && number !== undefined) {
      return { instruction: bench.recovering(number, PAYER), expected: () => model.recover(number) };
    }
    if (kind === 'redeem' && model.owner(owner).destination === 'open') {
      return {
        instruction: bench.redeeming(owner, amount),
        expected: (totals) => model.redeem(totals, owner, amount),
      };
    }
    return null;
  }

  #changeSurroundings({ kind, owner, amount }: Step): void {
    const { mintPubkey, totalAvailableAmount } = this.#bench.reserve(0).liquidity;
    const wallet = this.#model.owner(owner);
    const address = this.#bench.liquidityOf(owner);
    if (kind === 'repay') this.#bench.lend(-amount % 5_000_000n);
    if (kind === 'lend') this.#bench.lend(lesser(amount, totalAvailableAmount));
    if (kind === 'open') {
      this.#bench.setBalance(address, mintPubkey, owner, wallet.liquidity);
      wallet.destination = 'open';
    }
    if (wallet.destination !== 'open') return;
    if (kind === 'spoil') {
      this.#bench.changeToken(address, { delegate: PAYER });
      wallet.destination = 'spoilt';
    }
    if (kind === 'close') {
      this.#bench.changeToken(address, { amount: 0n });
      this.#bench.closeToken(address, owner);
      wallet.liquidity = 0n;
      wallet.destination = 'closed';
    }
  }

  /** Refreshes the reserve first: the interest is another test's subject. */
  #compare(kind: Kind, { instruction, expected }: Trial): void {
    this.#bench.refresh();
    const totals = this.#totals();
    const failure = this.#bench.failureOf([instruction]);
    const wanted = expected(totals);
    expect({ kind, failure }).toEqual({ kind, failure: wanted });
    expect(this.#totals()).toEqual(totals);
    this.#checkTickets();
    this.#checkBalances();
    this.seen.add(`${kind} ${wanted ?? 'accepted'}`);
    this.compared += 1;
  }

  #totals(): ReserveTotals {
    const { liquidity, collateral } = this.#bench.reserve(0);
    const fees =
      liquidity.accumulatedProtocolFeesSf +
      liquidity.accumulatedReferrerFeesSf +
      liquidity.pendingReferrerFeesSf;
    return {
      available: liquidity.totalAvailableAmount,
      supplySf: liquidity.totalAvailableAmount * FRACTION_ONE + liquidity.borrowedAmountSf - fees,
      minted: collateral.mintTotalSupply,
    };
  }

  #checkTickets(): void {
    const { tickets, queued: collateral, issued: nextIssued, paid: nextPaid } = this.#model;
    expect(this.#bench.queue).toEqual({ collateral, nextIssued, nextPaid });
    for (let number = 0n; number < nextIssued; number += 1n) {
      const ticket = tickets.get(number);
      const stored = this.#bench.ticket(number);
      if (ticket === undefined) expect(stored).toBeNull();
      else {
        const { owner, collateral: queuedCollateralAmount, isInvalid } = ticket;
        expect(stored).toMatchObject({ owner, queuedCollateralAmount, invalid: isInvalid ? 1 : 0 });
      }
    }
  }

  /** The queue holds what its tickets hold; the vaults of the owners hold that and what invalid tickets hold. */
  #checkBalances(): void {
    const [bench, model] = [this.#bench, this.#model];
    for (const [owner, wallet] of model.owners) {
      expect(bench.held(bench.collateralOf(owner))).toBe(wallet.collateral);
      expect(bench.held(bench.liquidityOf(owner))).toBe(wallet.liquidity);
      expect(bench.held(bench.vaultOf(owner))).toBe(wallet.queued);
    }
    const { liquidity, collateral } = bench.reserve(0);
    expect(bench.held(liquidity.supplyVault)).toBe(liquidity.totalAvailableAmount);
    expect(bench.collateralSupply(0)).toBe(collateral.mintTotalSupply);
    const stored = [...model.tickets.keys()].flatMap((number) => bench.ticket(number) ?? []);
    const valid = stored.filter(({ invalid }) => invalid === 0);
    const vaults = OWNERS.map((owner: Address) => bench.held(bench.vaultOf(owner)));
    const amounts = (tickets: typeof stored) => tickets.map((ticket) => ticket.queuedCollateralAmount);
    expect(sum(amounts(valid))).toBe(bench.queue.collateral);
    expect(sum(amounts(stored))).toBe(sum(vaults));
  }
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
