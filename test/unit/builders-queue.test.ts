import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { DEFAULT_OBLIGATION } from '../../src/builders/lending/obligation-choice.ts';
import { lendingError } from '../../src/builders/program-errors.ts';
import {
  cancelTicketAction,
  enqueueAction,
  payTicketAction,
  recoverTicketAction,
} from '../../src/builders/queue/action.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultExit } from '../../src/builders/vault/action.ts';
import { addressNumber, MARKET, NOW, SLOT } from '../support/builders/lending-accounts.ts';
import { vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';
import { NOTHING_KNOWN, stepOn } from '../support/localnet/built-steps.ts';
import { OWNERS, PAYER, QueueBench, RESERVE } from '../support/localnet/queue-bench.ts';
import { promisedErrors, units, worthOf } from '../support/localnet/queue-builds.ts';
import { ticketAt } from '../support/localnet/queue-calls.ts';

const { klend } = MAINNET_PROGRAMS;
const [OWNER, OTHER] = OWNERS;
const PLACE = { market: MARKET, reserve: RESERVE };

const enqueueing = (amount: object = { baseUnits: 50_000_000n }, wallet = OWNER) =>
  enqueueAction(NOTHING_KNOWN, { wallet, ...PLACE, amount: amount as { readonly all: true } });

describe('an entry into a withdraw queue', () => {
  it('rounds collateral tokens up, so that they are worth the amount', () => {
    const bench = new QueueBench();
    for (const amount of [1_250_001n, 1_250_002n, 9_999_999n]) {
      const figures = stepOn(bench, enqueueing({ baseUnits: amount })).preview().queue;
      const collateral = units(figures?.collateral.after ?? null, 6n);
      expect(worthOf(bench, collateral)).toBeGreaterThanOrEqual(amount);
      expect(worthOf(bench, collateral - 1n)).toBeLessThan(amount);
    }
  });

  it('of all takes what the wallet holds, and of a deposit what the debts allow for some time', () => {
    const held = stepOn(new QueueBench(), enqueueing({ all: true }));
    expect(units(held.preview().queue?.collateral.after ?? null, 6n)).toBe(10_000_000_000n);
    const debt = { reserves: [{}], deposits: [[0, 900_000_000n]], borrows: [[1, 600_000_000n]] } as const;
    const bench = new QueueBench(undefined, {}, debt);
    const action = enqueueAction(NOTHING_KNOWN, {
      wallet: OWNER,
      ...PLACE,
      amount: { all: true },
      obligation: DEFAULT_OBLIGATION,
    });
    const built = stepOn(bench, action);
    expect(promisedErrors(built)).toEqual([]);
    // 1,125 dollars of collateral with a limit of 75 % back 600: 325 can leave, and less when interest has grown.
    const queued = units(built.preview().queue?.tokens.after ?? null, 6n);
    expect(queued).toBeLessThan(325_000_000n);
    expect(queued).toBeGreaterThan(324_990_000n);
    bench.wait(250n);
    expect(bench.failureOf(built.action.instructions)).toBeNull();
  });

  it('is refused where the debts need all of the deposit', () => {
    const debt = { reserves: [{}], deposits: [[0, 640_000_000n]], borrows: [[1, 600_000_000n]] } as const;
    const bench = new QueueBench(undefined, {}, debt);
    const action = (amount: object) =>
      enqueueAction(NOTHING_KNOWN, {
        wallet: OWNER,
        ...PLACE,
        amount: amount as { readonly all: true },
        obligation: DEFAULT_OBLIGATION,
      });
    expect(() => stepOn(bench, action({ all: true }))).toThrow(/need all of this deposit/);
    const part = stepOn(bench, action({ baseUnits: 10_000_000n }));
    expect(promisedErrors(part)).toEqual(['COLLATERAL_TOO_LOW']);
    expect(bench.failureOf(part.action.instructions)).toBe(6116);
  });

  it('is refused where collateral tokens may not leave an obligation', () => {
    const bench = new QueueBench(undefined, {}, { deposits: [[0, 900_000_000n]] });
    bench.changeReserve({ config: { blockCtokenUsage: 1 } });
    const amount = { baseUnits: 50_000_000n };
    const action = enqueueAction(NOTHING_KNOWN, {
      wallet: OWNER,
      ...PLACE,
      amount,
      obligation: DEFAULT_OBLIGATION,
    });
    const built = stepOn(bench, action);
    expect(promisedErrors(built)).toEqual([6132]);
    expect(bench.failureOf(built.action.instructions)).toBe(6132);
  });

  it('warns of too little SOL for the rent, which is of the ticket, its vault and the reopening', () => {
    const bench = new QueueBench();
    const rent = stepOn(bench, enqueueing()).preview().queue?.rent?.amount ?? 0n;
    expect(rent).toBe((128n + 520n + 128n + 165n + 128n + 1_000n) * 6_960n);
    const wallet = bench.account(OWNER);
    bench.set(OWNER, { ...wallet, lamports: rent - 1n });
    expect(promisedErrors(stepOn(bench, enqueueing()))).toEqual(['BALANCE_TOO_LOW']);
    bench.enqueue(OTHER, 4_000_000n);
    const later = stepOn(bench, enqueueing(undefined, OTHER)).preview().queue?.rent?.amount;
    expect(later).toBe(rent - (128n + 165n) * 6_960n);
  });
});

describe('a ticket', () => {
  it('is found only at its address', () => {
    const bench = new QueueBench();
    bench.enqueue(OWNER, 4_000_000n);
    const missing = addressNumber(77);
    expect(() =>
      stepOn(bench, recoverTicketAction(NOTHING_KNOWN, { wallet: PAYER, ticket: missing })),
    ).toThrow(/no withdraw ticket/);
    const number = ticketAt(bench.queued, 0n);
    const byOther = cancelTicketAction(NOTHING_KNOWN, {
      wallet: OTHER,
      ticket: number,
      amount: { all: true },
    });
    expect(() => stepOn(bench, byOther)).toThrow(/6005 InvalidSigner/);
  });

  it('is paid only as the first of its queue', () => {
    const bench = new QueueBench();
    const paying = (ticket?: ReturnType<typeof ticketAt>) =>
      stepOn(bench, payTicketAction(NOTHING_KNOWN, { wallet: PAYER, ...PLACE, ...(ticket && { ticket }) }));
    expect(() => paying()).toThrow(/no ticket waits/);
    for (const owner of OWNERS) bench.enqueue(owner, 4_000_000n);
    const [first, , third] = [0n, 1n, 2n].map((number) => ticketAt(bench.queued, number));
    expect(paying(first).preview().queue?.sequenceNumber).toBe(0n);
    expect(() => paying(third)).toThrow(/2 tickets are ahead of it/);
    bench.succeed(paying(first).action.instructions);
    expect(() => paying(third)).toThrow(/1 ticket is ahead of it/);
    expect(() => paying(first)).toThrow(/no withdraw ticket/);
  });

  it('names the program error by its number', () => {
    expect(lendingError('WithdrawTicketInvalid')).toMatchObject({ number: 6152 });
    expect(() => lendingError('NoSuchError')).toThrow(RangeError);
  });
});

describe('a withdrawal from a vault without liquidity', () => {
  const messagesWith = (issuance: number): readonly string[] => {
    const chain = vaultChain({
      shares: 400_000_000_000n,
      reserves: [{ available: 1_000_000n, borrowed: 999_999_000_000n }],
    });
    const data = lendingMarket.encode({
      globalAllowedBorrowValue: U64_MAX,
      withdrawTicketIssuanceEnabled: issuance,
    });
    const market = { address: MARKET, owner: klend, data, lamports: 1n };
    const read: ReadAccounts = (address) => (address === MARKET ? market : chain(address));
    const accounts = vaultAccounts(vaultRequest({ withQueues: true }), read, SLOT);
    const { warnings } = buildVaultExit(accounts, { all: true }, NOW).preview();
    return warnings.filter(({ code }) => code === 'LIQUIDITY_TOO_LOW').map(({ message }) => message);
  };

  it('names the queue while the market has it on', () => {
    expect(messagesWith(1)).toEqual([expect.stringContaining('buildEnqueueWithdraw')]);
    expect(messagesWith(0)).toEqual([expect.not.stringContaining('buildEnqueueWithdraw')]);
  });
});
