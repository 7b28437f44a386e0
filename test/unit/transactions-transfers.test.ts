import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createTransactionReader } from '../../src/domain/transactions/read-transaction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { createAssociatedTokenIdempotent } from '../../src/programs/token/instructions.ts';
import {
  accountsOf,
  burns,
  foreign,
  LOOKUPS,
  moves,
  movesPlainly,
  movesWithFee,
  type Nested,
  named,
  transactionOf,
} from '../support/ingest/transaction-maker.ts';

const read = createTransactionReader(MAINNET_PROGRAMS);
const mint = named('sharesMint');
const [from, to] = [named('account of alice'), named('account of bob')];
const [alice, bob] = [named('alice'), named('bob')];
const accounts = { [from]: { mint, owner: alice }, [to]: { mint, owner: bob } };
const eventsOf = (outer: readonly Nested[], known: Parameters<typeof transactionOf>[1] = { accounts }) => {
  const { vaultEvents, problems } = read(transactionOf(outer, known), LOOKUPS);
  return {
    events: vaultEvents.map(({ kind, wallet, counterparty, shares, tokens }) => [
      kind,
      wallet,
      counterparty,
      shares,
      tokens,
    ]),
    problems,
  };
};
const both = (sent: bigint, received = sent) => [
  ['transferOut', alice, bob, sent, null],
  ['transferIn', bob, alice, received, null],
];

describe('shares that are sent from wallet to wallet', () => {
  it('leave one and arrive in the other', () => {
    expect(eventsOf([moves(from, to, 40n, mint)])).toEqual({ events: both(40n), problems: [] });
  });

  it('are known by their accounts when the instruction names no mint', () => {
    expect(eventsOf([movesPlainly(from, to, 40n)]).events).toEqual(both(40n));
  });

  it('arrive without the fee that was withheld', () => {
    expect(eventsOf([movesWithFee(from, to, 40n, 3n, mint)]).events).toEqual(both(40n, 37n));
  });

  it('count when another program sends them', () => {
    expect(eventsOf([foreign('escrow', [moves(from, to, 40n, mint)])]).events).toEqual(both(40n));
  });

  it('change nothing between accounts of one owner, and nothing when they are other tokens', () => {
    const own = { [from]: { mint, owner: alice }, [to]: { mint, owner: alice } };
    expect(eventsOf([moves(from, to, 40n, mint)], { accounts: own }).events).toEqual([]);
    expect(eventsOf([moves(from, to, 40n, named('other mint'))]).events).toEqual([]);
    expect(eventsOf([moves(from, to, 0n, mint)]).events).toEqual([]);
  });

  it('leave for nobody when their owner burns them', () => {
    expect(eventsOf([burns(mint, from, 9n)]).events).toEqual([['transferOut', alice, null, 9n, null]]);
  });

  it('are followed through an account that was opened and closed on the way', () => {
    const passing = named('passing account');
    const opening = {
      instruction: createAssociatedTokenIdempotent.encode(
        ASSOCIATED_TOKEN_PROGRAM,
        accountsOf(createAssociatedTokenIdempotent.accounts, {
          associatedToken: passing,
          owner: named('carol'),
          mint,
        }),
        {},
      ),
    };
    const route = [opening, moves(from, passing, 5n, mint), moves(passing, to, 5n, mint)];
    const { events, problems } = eventsOf(route);
    expect(problems).toEqual([]);
    expect(events.map(([kind, wallet]) => [kind, wallet])).toEqual([
      ['transferOut', alice],
      ['transferIn', named('carol')],
      ['transferOut', named('carol')],
      ['transferIn', bob],
    ]);
  });

  it('leave a known wallet even when nobody knows where they went, which is told', () => {
    const nowhere = named('nobody knows') as Address;
    expect(eventsOf([moves(from, nowhere, 5n, mint)])).toEqual({
      events: [['transferOut', alice, null, 5n, null]],
      problems: [{ kind: 'ownerUnknown', account: nowhere }],
    });
  });

  it('are told when their account itself changed hands', () => {
    const transaction = transactionOf([], { accounts });
    const before = transaction.postTokenBalances.map((balance) => ({ ...balance, owner: named('dave') }));
    const { problems } = read({ ...transaction, preTokenBalances: before.slice(0, 1) }, LOOKUPS);
    expect(problems).toEqual([{ kind: 'ownerChanged', account: from }]);
  });
});
