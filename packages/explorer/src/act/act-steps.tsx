import type { ReactNode } from 'react';
import { tokens } from '../format/numbers.ts';
import { Badge } from '../ui/notice.tsx';
import { growth } from './act-words.ts';
import type { Explained, Explanation } from './explained.ts';

export type StepState = 'ahead' | 'done' | 'undone' | 'not sent';

export interface Step {
  readonly text: string;
  /** The transaction that it is a part of, 0 for the first. */
  readonly transaction: number;
}

/** Instructions that prepare a step: they read prices, open an empty account, wrap SOL and pay for speed. */
const PREPARES =
  /^(refresh|create|init|transferLamports|syncNative|closeAccount|setComputeUnit|request|withdrawUnstaked)/i;

/**
 * The steps of an action in the order in which the programs take them. `amount` is what the user wrote: the first step that
 * moves tokens is named after it, where the program was given a limit instead.
 */
export function stepsOf({ transactions }: Explained, amount: string | null): readonly Step[] {
  return transactions.flatMap((explanation, transaction) =>
    explanation.instructions
      .filter(({ name }) => name === null || !PREPARES.test(name))
      .map((instruction) => ({ text: stepText(explanation, instruction, amount), transaction })),
  );
}

function stepText(
  { effects }: Explanation,
  { name, summary }: Explanation['instructions'][number],
  amount: string | null,
): string {
  const [position] = effects?.vaultPositions ?? [];
  const staked = position === undefined ? null : growth(position.stakedShares);
  if (name === 'stake' && staked !== null) return `Stake ${tokens(staked.abs(), 'shares').text}`;
  if (name === 'unstake' && staked !== null) return `Unstake ${tokens(staked.abs(), 'shares').text}`;
  if (amount !== null && /^Deposit up to /.test(summary)) return `Deposit ${amount}`;
  return summary;
}

interface StepsProps {
  readonly steps: readonly Step[];
  readonly stateOf: (step: Step) => StepState;
}

/** A numbered list of what happens, with how far it has come. */
export function Steps({ steps, stateOf }: StepsProps): ReactNode {
  return (
    <ol className="steps">
      {steps.map((step, index) => {
        const state = stateOf(step);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same words, and their order is fixed.
          <li key={index}>
            <span>{step.text}</span>
            {state === 'done' ? (
              <Badge tone="safe">Done</Badge>
            ) : (
              state !== 'ahead' && <span className="sub">{state}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** "Steps, one signature": the wallet signs each transaction. */
export function stepsTitle(steps: readonly Step[]): string {
  const signatures = new Set(steps.map(({ transaction }) => transaction)).size;
  const what = steps.length === 1 ? 'One step' : 'Steps';
  return `${what}, ${signatures === 1 ? 'one signature' : `${signatures} signatures`}`;
}
