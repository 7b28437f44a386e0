import { ASSOCIATED_TOKEN_PROGRAM, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
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
} from '../support/transaction-maker.ts';

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

describe('share transfers between wallets', () => {
  it('produce an event for each wallet', () => {
    expect(eventsOf([moves(from, to, 40n, mint)])).toEqual({ events: both(40n), problems: [] });
  });

  it('are recognised by their accounts when the instruction names no mint', () => {
    expect(eventsOf([movesPlainly(from, to, 40n)]).events).toEqual(both(40n));
  });

  it('subtract the withheld fee for the receiver', () => {
    expect(eventsOf([movesWithFee(from, to, 40n, 3n, mint)]).events).toEqual(both(40n, 37n));
  });

  it('are found inside other programs', () => {
    expect(eventsOf([foreign('escrow', [moves(from, to, 40n, mint)])]).events).toEqual(both(40n));
  });

  it('produce no events between accounts of one owner, for other tokens, or for zero', () => {
    const own = { [from]: { mint, owner: alice }, [to]: { mint, owner: alice } };
    expect(eventsOf([moves(from, to, 40n, mint)], { accounts: own }).events).toEqual([]);
    expect(eventsOf([moves(from, to, 40n, named('other mint'))]).events).toEqual([]);
    expect(eventsOf([moves(from, to, 0n, mint)]).events).toEqual([]);
  });

  it('have no counterparty when the owner burns the shares', () => {
    expect(eventsOf([burns(mint, from, 9n)]).events).toEqual([['transferOut', alice, null, 9n, null]]);
  });

  it('are followed through an account created and closed in the transaction', () => {
    const passing = named('passing account');
    const creation = {
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
    const route = [creation, moves(from, passing, 5n, mint), moves(passing, to, 5n, mint)];
    const { events, problems } = eventsOf(route);
    expect(problems).toEqual([]);
    expect(events.map(([kind, wallet]) => [kind, wallet])).toEqual([
      ['transferOut', alice],
      ['transferIn', named('carol')],
      ['transferOut', named('carol')],
      ['transferIn', bob],
    ]);
  });

  it('report an unknown receiver as a problem and keep the sender’s event', () => {
    const unknown = named('unknown account') as Address;
    expect(eventsOf([moves(from, unknown, 5n, mint)])).toEqual({
      events: [['transferOut', alice, null, 5n, null]],
      problems: [{ kind: 'ownerUnknown', account: unknown }],
    });
  });

  it('report a token account whose owner changed', () => {
    const transaction = transactionOf([], { accounts });
    const before = transaction.postTokenBalances.map((balance) => ({ ...balance, owner: named('dave') }));
    const { problems } = read({ ...transaction, preTokenBalances: before.slice(0, 1) }, LOOKUPS);
    expect(problems).toEqual([{ kind: 'ownerChanged', account: from }]);
  });
});
