import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { integer } from '@sluice/protocol/numeric/rational';
import { COMPUTE_BUDGET_PROGRAM, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DEFAULT_OBLIGATION } from '../../src/builders/lending/obligation-choice.ts';
import { buildEnqueue, newTicket } from '../../src/builders/queue/enqueue.ts';
import {
  type EnqueueRequest,
  enqueueAccounts,
  firstEnqueueReads,
  secondEnqueueReads,
} from '../../src/builders/queue/enqueue-accounts.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { argsOf, line, nameOf, type SequenceCase, sequencesOf } from '../support/vectors/sequence-vectors.ts';

type QueueSequence = SequenceCase<{
  readonly market: Address;
  readonly reserve: Address;
  readonly isInObligation: boolean;
}>;

const SEQUENCES = sequencesOf<QueueSequence>('queue');

function requestOf({ wallet, market, reserve, isInObligation }: QueueSequence): EnqueueRequest {
  const common = { programs: MAINNET_PROGRAMS, wallet, market, reserve, lookupTables: [] };
  const withdrawal = { ...common, action: 'withdraw', obligation: DEFAULT_OBLIGATION, oracles: [] } as const;
  return { ...common, withdrawal: isInObligation ? withdrawal : null };
}

function build(given: QueueSequence, read: ReadAccounts = given.read) {
  const { slot, wallet } = given;
  const accounts = enqueueAccounts(requestOf(given), read, { slot, payer: wallet, fresh: new Set<never>() });
  const moment = { slot, timestamp: 0n, slotDurationMs: integer(400n) };
  const ticket = newTicket(accounts, given.amount, moment);
  // The SDK's function for collateral tokens of the wallet takes their number.
  const collateral = given.isInObligation ? ticket.collateral : given.amount;
  return buildEnqueue(accounts, { ...ticket, collateral }).instructions;
}

/** The API adds a compute budget only on request, and expects neither token account of the wallet to exist. */
const needed = (all: readonly EncodedInstruction[]) =>
  all.filter((each, index) => {
    const isFirst = all.findIndex((other) => line(other) === line(each)) === index;
    return each.programAddress !== COMPUTE_BUDGET_PROGRAM && isFirst;
  });

const subjects = SEQUENCES.map((given) => [given.name, given] as const);

describe('entries into a withdraw queue against the official SDK', () => {
  it.each(subjects)('%s: same instructions, accounts, roles and data', (_, given) => {
    const built = build(given).map(line);
    const expected = needed(given.expected).map(line);
    const extra = built.filter((each) => !expected.includes(each)).map((each) => each.split(' ')[0]);
    expect(extra).toEqual(given.isInObligation ? [] : ['createAssociatedTokenIdempotent']);
    expect(built).toEqual(expect.arrayContaining(expected));
  });

  it.each(subjects)('%s: refreshes, withdrawal and entry in the same order', (_, given) => {
    const core = (all: readonly EncodedInstruction[]) =>
      all.filter((each) => /^refresh|V2$|^enqueue/.test(nameOf(each))).map(line);
    expect(core(build(given))).toEqual(core(given.expected));
    const entry = build(given).at(-1) ?? expect.fail('nothing is built');
    expect(argsOf(entry).progressCallbackType).toBe(0);
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, given) => {
    const request = requestOf(given);
    const requested = new Set([...firstEnqueueReads(request), ...secondEnqueueReads(request, given.read)]);
    build(given, (address) => {
      expect(requested).toContain(address);
      return given.read(address);
    });
  });
});
