import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { COMPUTE_BUDGET_PROGRAM, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { liquidationAccounts } from '../../src/builders/liquidation/accounts.ts';
import { buildLiquidation } from '../../src/builders/liquidation/liquidate.ts';
import { liquidationOutcome } from '../../src/builders/liquidation/outcome.ts';
import {
  firstLiquidationReads,
  type LiquidationRequest,
  secondLiquidationReads,
} from '../../src/builders/liquidation/request.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { NOW } from '../support/builders/lending-accounts.ts';
import { line, nameOf, type SequenceCase, sequencesOf } from '../support/vectors/sequence-vectors.ts';

type LiquidationSequence = SequenceCase<{
  readonly obligation: Address;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** Base units of the collateral's token. */
  readonly minReceived: string;
}>;

const SEQUENCES = sequencesOf<LiquidationSequence>('liquidation');

const requestOf = (given: LiquidationSequence): LiquidationRequest => ({
  programs: MAINNET_PROGRAMS,
  wallet: given.wallet,
  obligation: given.obligation,
  repayReserve: given.repayReserve,
  withdrawReserve: given.withdrawReserve,
  lookupTables: [],
  oracles: [],
});

function build(given: LiquidationSequence, read: ReadAccounts = given.read) {
  const accounts = liquidationAccounts(requestOf(given), read, given.slot, given.wallet);
  const outcome = liquidationOutcome(accounts, given.amount, NOW);
  const { amount, minReceived, slot } = given;
  return buildLiquidation(accounts, { asked: amount, minReceived: BigInt(minReceived) }, outcome, {
    ...NOW,
    slot,
  }).instructions;
}

/** The API adds a compute budget only on request. */
const needed = (all: readonly EncodedInstruction[]) =>
  all.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM);

const subjects = SEQUENCES.map((given) => [given.name, given] as const);

describe('liquidations against the official SDK', () => {
  it.each(subjects)('%s: same instructions, accounts, roles and data', (_, given) => {
    expect(build(given).map(line).sort()).toEqual(needed(given.expected).map(line).sort());
  });

  it.each(subjects)('%s: all reserves, then the obligation, are refreshed before it', (_, given) => {
    const core = (all: readonly EncodedInstruction[]) =>
      all.filter((each) => /^refresh|^liquidate/.test(nameOf(each)));
    const [built, expected] = [core(build(given)), core(given.expected)];
    expect(built.map(nameOf)).toEqual(expected.map(nameOf));
    // The reserves are refreshed in another order, which makes no difference to the program.
    expect(built.slice(-2).map(line)).toEqual(expected.slice(-2).map(line));
    expect(expected.slice(-2).map(nameOf)).toEqual([
      'refreshObligation',
      'liquidateObligationAndRedeemReserveCollateralV2',
    ]);
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, given) => {
    const request = requestOf(given);
    const requested = new Set([
      ...firstLiquidationReads(request),
      ...secondLiquidationReads(request, given.read),
    ]);
    build(given, (address) => {
      expect(requested).toContain(address);
      return given.read(address);
    });
  });
});
