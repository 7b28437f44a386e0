import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import type { Action, BuiltStep } from '../../../src/builders/action.ts';
import type { QueueFigures } from '../../../src/builders/preview.ts';
import { expectChanges, readOf, stepOn } from './built-steps.ts';
import type { QueueBench } from './queue-bench.ts';

/** Builds on the accounts of a queue bench, and compares what they promise with what the programs of the localnet do. */

export interface Compared {
  readonly step: BuiltStep;
  readonly figures: QueueFigures;
  /** The program's error, or that of another program or the runtime; null when the instructions succeed. */
  readonly failure: number | string | null;
}

/** Error numbers at the end of the messages of a preview, in order. */
export const promisedErrors = ({ preview }: BuiltStep): (number | string)[] =>
  preview()
    .warnings.filter(({ level }) => level === 'ERROR')
    .map(({ message, code }) => {
      const number = /The program answers (\d+) \w+\.$/.exec(message)?.[1];
      return number === undefined ? code : Number(number);
    });

/**
 * Builds an action, runs its instructions, and expects the outcome that its preview and its changes promise, to the base unit
 * and the lamport.
 */
export function compareBuild(bench: QueueBench, action: Action, payer: Address = action.wallet): Compared {
  const step = stepOn(bench, action, payer);
  const promised = step.after();
  const figures = step.preview().queue ?? expect.fail('no ticket');
  const before = new Map([...promised.keys()].map((address) => [address, readOf(bench, address)]));
  const failure = bench.failureOf(step.action.instructions);
  const [first] = promisedErrors(step);
  if (first === undefined) expect(failure).toBeNull();
  else if (typeof first === 'number') expect(failure).toBe(first);
  else expect(failure, first).not.toBeNull();
  if (failure === null) {
    expectChanges(bench, promised, before);
    expectFigures(bench, figures);
  }
  return { step, figures, failure };
}

/** Compares the figures of the ticket after an action with its account. */
function expectFigures(bench: QueueBench, figures: QueueFigures): void {
  const ticket = bench.ticket(figures.sequenceNumber);
  const state =
    ticket === null
      ? null
      : ticket.invalid !== 0
        ? 'INVALID'
        : ticket.queuedCollateralAmount === 0n
          ? 'CANCELLED'
          : 'QUEUED';
  expect(figures.state).toBe(state);
  expect(units(figures.collateral.after, 6n)).toBe(ticket?.queuedCollateralAmount ?? 0n);
}

/** Base units of a figure in whole tokens, which must be whole ones. */
export function units(figure: Rational | null, decimals: bigint): bigint {
  const { n, d } = (figure ?? expect.fail('no figure')).mul(integer(10n ** decimals)).reduced();
  expect(d).toBe(1n);
  return n;
}

/** Value of collateral tokens of the bench's reserve, whole base units of its token, by the sums that the reserve stores. */
export function worthOf(bench: QueueBench, collateral: bigint): bigint {
  const { liquidity, collateral: minted } = bench.reserve(0);
  const fees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  const supplySf = liquidity.totalAvailableAmount * FRACTION_ONE + liquidity.borrowedAmountSf - fees;
  return (supplySf * collateral) / minted.mintTotalSupply / FRACTION_ONE;
}
