import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { claimAccounts } from '../../src/builders/claim/accounts.ts';
import { buildClaimRewards } from '../../src/builders/claim/claim-rewards.ts';
import { type ClaimRequest, firstClaimReads, secondClaimReads } from '../../src/builders/claim/request.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { NOW } from '../support/builders/lending-accounts.ts';
import { argsOf, line, nameOf, type SequenceCase, sequencesOf } from '../support/vectors/sequence-vectors.ts';

type ClaimSequence = SequenceCase<{
  readonly farm: Address;
  readonly user: Address;
}>;

const SEQUENCES = sequencesOf<ClaimSequence>('claims');

const requestOf = ({ wallet, farm, user }: ClaimSequence): ClaimRequest => ({
  programs: MAINNET_PROGRAMS,
  wallet,
  stakes: [{ user, farm }],
  named: true,
  lookupTables: [],
});

/** Wrapped SOL stays wrapped, as the SDK leaves it. */
function build(given: ClaimSequence, read: ReadAccounts = given.read) {
  const step = { slot: given.slot, moment: NOW, payer: given.wallet };
  const accounts = claimAccounts(requestOf(given), read, step);
  return { accounts, instructions: buildClaimRewards(accounts, { unwrapSol: false }).instructions };
}

const subjects = SEQUENCES.map((given) => [given.name, given] as const);

describe('claims against the official SDK', () => {
  it.each(subjects)('%s: same instructions, accounts, roles and data', (_, given) => {
    const { accounts, instructions } = build(given);
    // The SDK also harvests rewards that have nothing to pay.
    const paying = new Set(
      accounts.rewards.filter(({ harvest }) => harvest.paid > 0n).map(({ reward }) => reward.index),
    );
    const expected = given.expected.filter(
      (each) => nameOf(each) !== 'harvestReward' || paying.has(Number(argsOf(each).rewardIndex)),
    );
    // The SDK opens the account of each reward right before its harvest.
    expect(instructions.map(line).sort()).toEqual(expected.map(line).sort());
    const harvests = (all: readonly EncodedInstruction[]) =>
      all.filter((each) => nameOf(each) === 'harvestReward').map(line);
    expect(harvests(instructions)).toEqual(harvests(expected));
    expect(harvests(instructions).length).toBe(paying.size);
  });

  it('leaves out the reward with nothing to pay', () => {
    const given = SEQUENCES.find(({ name }) => name === 'a reward with nothing to pay');
    const { instructions } = build(given ?? expect.fail('no such case'));
    expect(instructions.map((each) => [nameOf(each), argsOf(each).rewardIndex])).toEqual([
      ['harvestReward', 1n],
    ]);
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, given) => {
    const request = requestOf(given);
    const requested = new Set([...firstClaimReads(request), ...secondClaimReads(request, given.read)]);
    build(given, (address) => {
      expect(requested).toContain(address);
      return given.read(address);
    });
  });
});
