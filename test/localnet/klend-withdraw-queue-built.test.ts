import { lesser } from '@sluice/protocol/numeric/integer';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/builders/action.ts';
import type { AmountInput } from '../../src/builders/amount.ts';
import { DEFAULT_OBLIGATION } from '../../src/builders/lending/obligation-choice.ts';
import {
  cancelTicketAction,
  enqueueAction,
  payTicketAction,
  recoverTicketAction,
} from '../../src/builders/queue/action.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { MARKET } from '../support/builders/lending-accounts.ts';
import { NOTHING_KNOWN } from '../support/localnet/built-steps.ts';
import { OWNERS, PAYER, QueueBench, RESERVE } from '../support/localnet/queue-bench.ts';
import { compareBuild, units } from '../support/localnet/queue-builds.ts';
import { ticketAt } from '../support/localnet/queue-calls.ts';

/**
 * Builds of the withdraw queue against the programs of the localnet: what a preview and the changes of a step promise is what
 * the accounts then hold, and the first refusal is the program's error.
 */

const STEPS = 220;
const RUNS = 4;
const MINIMUM_USD = 2n;
const SHORT = { available: 3_000_000n, borrowed: 1_249_997_000_000n, collateral: 1_000_000_000_000n };
/** The first wallet owes the other reserve about two thirds of what its deposit is worth. */
const IN_DEBT = {
  reserves: [{}],
  deposits: [[0, 900_000_000n]] as const,
  borrows: [[1, 600_000_000n]] as const,
};
const [BORROWER] = OWNERS;

const FREQUENCIES = {
  enqueue: 6,
  enqueueDeposit: 3,
  pay: 9,
  cancel: 5,
  recover: 3,
  repay: 5,
  lend: 3,
  spoil: 1,
  close: 2,
  open: 6,
} as const;

type Kind = keyof typeof FREQUENCIES;

const steps = fc.record({
  kind: fc.oneof(
    ...Object.entries(FREQUENCIES).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  owner: fc.constantFrom(...OWNERS),
  pick: fc.nat(1_000),
  /** Base units of the reserve's token; some next to the minimum of 2. Null for all. */
  amount: fc.oneof(
    { weight: 6, arbitrary: fc.bigInt(1_000_000n, 9_000_000n) },
    { weight: 2, arbitrary: fc.bigInt(1_999_990n, 2_000_010n) },
    { weight: 1, arbitrary: fc.constantFrom(1n, 20_000_000_000n) },
    { weight: 2, arbitrary: fc.constant(null) },
  ),
  wait: fc.constantFrom(0n, 0n, 1n, 5_000n),
  isPaidByOther: fc.boolean(),
});

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

const amountOf = (amount: bigint | null): AmountInput =>
  amount === null ? { all: true } : { baseUnits: amount };

class BuiltQueue {
  readonly bench = new QueueBench(SHORT, { minWithdrawQueuedLiquidityValue: MINIMUM_USD }, IN_DEBT);
  readonly seen = new Map<string, number>();

  take({ kind, owner, pick, amount, wait, isPaidByOther }: Step): void {
    this.bench.wait(wait);
    this.#publishPrices();
    const action = this.#actionOf(kind, owner, pick, amount, isPaidByOther);
    if (action === null) this.#changeSurroundings(kind, owner, amount ?? 1_000_000n);
    else this.#compare(kind, action, isPaidByOther ? PAYER : action.wallet);
  }

  /** The oracle publishes the same prices all the time. */
  #publishPrices(): void {
    const { priceFeed } = this.bench.reserve(0).config.tokenInfo.scopeConfiguration;
    const entry = { unixTimestamp: this.bench.clock.unixTimestamp };
    this.bench.change(oraclePrices, priceFeed, { prices: [entry, entry] });
  }

  #actionOf(
    kind: Kind,
    owner: Address,
    pick: number,
    amount: bigint | null,
    byOther: boolean,
  ): Action | null {
    const place = { market: MARKET, reserve: RESERVE };
    const wallet = byOther ? PAYER : owner;
    const ticket = this.#ticket(pick);
    switch (kind) {
      case 'enqueue':
        return enqueueAction(NOTHING_KNOWN, { wallet: owner, ...place, amount: amountOf(amount) });
      case 'enqueueDeposit':
        return enqueueAction(NOTHING_KNOWN, {
          wallet: BORROWER,
          ...place,
          amount: amountOf(amount),
          obligation: DEFAULT_OBLIGATION,
        });
      case 'pay':
        return payTicketAction(NOTHING_KNOWN, { wallet, ...place });
      case 'cancel':
        return ticket === null
          ? null
          : cancelTicketAction(NOTHING_KNOWN, {
              wallet: ticket.owner,
              ticket: ticket.address,
              amount: amountOf(amount),
            });
      case 'recover':
        return ticket && recoverTicketAction(NOTHING_KNOWN, { wallet, ticket: ticket.address });
      default:
        return null;
    }
  }

  #ticket(pick: number): { readonly address: Address; readonly owner: Address } | null {
    const { nextIssued } = this.bench.queue;
    if (nextIssued === 0n) return null;
    const number = BigInt(pick) % nextIssued;
    const ticket = this.bench.ticket(number);
    return ticket && { address: ticketAt(this.bench.queued, number), owner: ticket.owner };
  }

  #compare(kind: Kind, action: Action, payer: Address): void {
    try {
      const { figures, failure } = compareBuild(this.bench, action, payer);
      this.#note(`${kind} ${failure ?? figures.state ?? 'closed'}`);
    } catch (error) {
      if (!isCodedError(error)) throw error;
      this.#note(`${kind} ${error.code}`);
    }
  }

  #note(result: string): void {
    this.seen.set(result, (this.seen.get(result) ?? 0) + 1);
  }

  #changeSurroundings(kind: Kind, owner: Address, amount: bigint): void {
    const { bench } = this;
    const { mintPubkey, totalAvailableAmount } = bench.reserve(0).liquidity;
    const address = bench.liquidityOf(owner);
    const isOpen = (bench.get(address)?.lamports ?? 0n) > 0n;
    if (kind === 'repay') bench.lend(-amount % 5_000_000n);
    if (kind === 'lend') bench.lend(lesser(amount, totalAvailableAmount));
    if (kind === 'open') bench.setBalance(address, mintPubkey, owner, isOpen ? bench.held(address) : 0n);
    if (kind === 'spoil' && isOpen) bench.changeToken(address, { delegate: PAYER });
    if (kind === 'close' && isOpen) {
      bench.changeToken(address, { amount: 0n });
      bench.closeToken(address, owner);
    }
  }
}

describe('builds of a withdraw queue under random actions', () => {
  it('keep their promises, to the base unit and the lamport', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(steps, { minLength: STEPS, maxLength: STEPS }), (given) => {
        const queue = new BuiltQueue();
        for (const step of given) queue.take(step);
        for (const [result, count] of queue.seen) seen.set(result, (seen.get(result) ?? 0) + count);
      }),
      { numRuns: RUNS, seed: 20_261_119, endOnFailure: true },
    );
    const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(300);
    const wanted = [
      ...['QUEUED', 1, 6151, 6154].map((result) => `enqueue ${result}`),
      ...['QUEUED', 6154].map((result) => `enqueueDeposit ${result}`),
      ...['closed', 'QUEUED', 'INVALID', 6008, 6148, 6150, 6154].map((result) => `pay ${result}`),
      ...['QUEUED', 'CANCELLED', 6152, 6154, 6171].map((result) => `cancel ${result}`),
      ...['closed', 6147].map((result) => `recover ${result}`),
    ];
    expect(
      wanted.filter((result) => !seen.has(result)),
      [...seen].join('\n'),
    ).toEqual([]);
  });

  it('pay what they say, and return what they say', () => {
    const bench = new QueueBench(SHORT, {}, IN_DEBT);
    const [first, second] = OWNERS;
    const place = { market: MARKET, reserve: RESERVE };
    const queued = compareBuild(
      bench,
      enqueueAction(NOTHING_KNOWN, { wallet: first, ...place, amount: { baseUnits: 5_000_000n } }),
    );
    expect(queued.figures).toMatchObject({ ticketsAhead: 0n, paid: null, returned: null });
    expect(units(queued.figures.collateral.after, 6n)).toBe(4_000_000n);
    bench.wait(5_000n);
    const paid = compareBuild(bench, payTicketAction(NOTHING_KNOWN, { wallet: PAYER, ...place }));
    expect(paid.figures.state).toBe('QUEUED');
    expect(paid.figures.paid?.amount).toBe(bench.held(bench.liquidityOf(first)));
    expect(paid.figures.paid?.amount).toBeGreaterThan(0n);
    const cancelled = compareBuild(
      bench,
      cancelTicketAction(NOTHING_KNOWN, {
        wallet: first,
        ticket: paid.figures.ticket,
        amount: { all: true },
      }),
    );
    expect(cancelled.figures).toMatchObject({ state: 'CANCELLED', ticketsAhead: 0n });
    const returned = cancelled.figures.returned?.amount ?? 0n;
    expect(units(paid.figures.collateral.after, 6n)).toBe(returned);
    expect(bench.held(bench.collateralOf(first))).toBe(10_000_000_000n - 4_000_000n + returned);
    const behind = compareBuild(
      bench,
      enqueueAction(NOTHING_KNOWN, { wallet: second, ...place, amount: { all: true } }),
    );
    expect(behind.figures.ticketsAhead).toBe(1n);
  });
});
