import type { SluiceError } from '@sluice/client';
import type { ActionRun } from '@sluice/client/react';
import { useRef } from 'react';

export interface FailedRun {
  /** What happened, and whether money moved. */
  readonly title: string;
  readonly reason: string;
  /** What to do now. Null when the reason says it. */
  readonly advice: string | null;
  /** Null when nothing was sent. */
  readonly signature: string | null;
}

/** How far a run had come when it failed. */
export interface Reached {
  readonly step: 'building' | 'signing' | 'confirming';
  /** Transactions that are confirmed. */
  readonly confirmed: number;
}

export const NOTHING_REACHED: Reached = { step: 'building', confirmed: 0 };

/** What became of a run that failed. A transaction does all of its steps or none. */
export function failureOf(
  { code, message, retryable, context }: SluiceError,
  what: string,
  { step, confirmed }: Reached,
): FailedRun {
  const signature = typeof context.signature === 'string' ? context.signature : null;
  const shared = { reason: message, signature };
  const untouched = (happened: string): string =>
    confirmed > 0 ? `Only a part of your ${what} went through.` : `Your ${what} ${happened}. No money moved.`;
  switch (code) {
    case 'TRANSACTION_FAILED':
      return { ...shared, title: untouched('did not go through'), advice: 'Only the network fee was paid.' };
    case 'TRANSACTION_REJECTED':
      // It has a signature but was never sent, so that there is nothing to see.
      return {
        ...shared,
        signature: null,
        title: untouched('did not go through'),
        advice: 'It was not sent.',
      };
    case 'TRANSACTION_EXPIRED':
      return {
        ...shared,
        signature: null,
        title: untouched('was not taken in time'),
        advice: 'You can try again.',
      };
    case 'SIGNING_FAILED':
      return { ...shared, title: untouched('was not signed'), advice: null };
    default:
      if (step === 'confirming')
        return {
          ...shared,
          title: `It is not known whether your ${what} went through.`,
          advice: 'Look at your balances before you try again.',
        };
      return {
        ...shared,
        title: untouched('could not be prepared'),
        advice: retryable ? 'This usually passes within a minute.' : null,
      };
  }
}

/** Remembers how far a run has come, which its failure does not say. */
export function useReached(run: ActionRun): Reached {
  const known = useRef({ ...NOTHING_REACHED, hasEnded: false });
  const { current } = known;
  if (run.step === 'idle' || (run.step === 'building' && current.hasEnded))
    known.current = { ...NOTHING_REACHED, hasEnded: false };
  else if (run.step === 'signing' || run.step === 'confirming')
    // What is built again counts from one.
    known.current = { ...current, step: run.step, confirmed: Math.max(current.confirmed, run.number - 1) };
  else if (run.step !== 'building') known.current = { ...current, hasEnded: true };
  return known.current;
}

/** Whether a block has the transaction, which failed there. */
export const wasSent = ({ code }: SluiceError): boolean => code === 'TRANSACTION_FAILED';
