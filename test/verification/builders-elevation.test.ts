import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { COMPUTE_BUDGET_PROGRAM, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  type ElevationRequest,
  elevationAccounts,
  firstElevationReads,
  secondElevationReads,
} from '../../src/builders/elevation/accounts.ts';
import { buildElevationRequest } from '../../src/builders/elevation/action.ts';
import { priceFeedOf } from '../../src/builders/lending/request.ts';
import { distinct, type ReadAccounts, readableAccount } from '../../src/builders/read-accounts.ts';
import { line, nameOf, type SequenceCase, sequencesOf } from '../support/vectors/sequence-vectors.ts';

type ElevationSequence = SequenceCase<{
  readonly market: Address;
  readonly obligation: Address;
  readonly group: number;
}>;

const SEQUENCES = sequencesOf<ElevationSequence>('elevation');

/** The oracles of the market's reserves, which a service knows beforehand. */
function feedsOf({ addresses, read }: ElevationSequence): Address[] {
  const reserves = addresses.map((each) => readableAccount(read, each, reserve, MAINNET_PROGRAMS.klend));
  return distinct(reserves.map((each) => each && priceFeedOf(each)));
}

const requestOf = (given: ElevationSequence): ElevationRequest => ({
  programs: MAINNET_PROGRAMS,
  wallet: given.wallet,
  market: given.market,
  obligation: { address: given.obligation },
  group: given.group,
  lookupTables: [],
  oracles: feedsOf(given),
});

function build(given: ElevationSequence, read: ReadAccounts = given.read) {
  const step = { slot: given.slot, payer: given.wallet, fresh: new Set<never>() };
  return buildElevationRequest(elevationAccounts(requestOf(given), read, step)).instructions;
}

/**
 * Rest of the SDK's instructions. The API adds a compute budget only on request. The SDK also refreshes the
 * obligation's farms, which the program does not demand for a move, because the stakes do not change.
 */
const needed = (all: readonly EncodedInstruction[]) =>
  all.filter(
    (each) =>
      each.programAddress !== COMPUTE_BUDGET_PROGRAM && nameOf(each) !== 'refreshObligationFarmsForReserve',
  );

const subjects = SEQUENCES.map((given) => [given.name, given] as const);

describe('moves to elevation groups against the official SDK', () => {
  it.each(subjects)('%s: same instructions, accounts, roles, data and order', (_, given) => {
    const built = build(given);
    expect(built.map(line)).toEqual(needed(given.expected).map(line));
    expect(built.map(nameOf).slice(-2)).toEqual(['refreshObligation', 'requestElevationGroup']);
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, given) => {
    const request = requestOf(given);
    const requested = new Set([
      ...firstElevationReads(request),
      ...secondElevationReads(request, given.read),
    ]);
    build(given, (address) => {
      expect(requested).toContain(address);
      return given.read(address);
    });
  });
});
