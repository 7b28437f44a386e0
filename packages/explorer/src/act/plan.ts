import type { Action } from '@sluice/client';
import type { Verb } from './action.ts';

/** Most actions of a plan. */
export const MOST_STEPS = 6;

/** An action that waits in the plan. */
export interface PlanItem {
  /** Unique in the plan. */
  readonly key: number;
  readonly action: Action;
  readonly verb: Verb;
  /** The token of the vault or reserve. */
  readonly symbol: string;
  /** The amount in words, such as `12.5 USDC`. */
  readonly amount: string;
}

/** A plan with an action at its end. Unchanged when it is full. */
export function withItem(plan: readonly PlanItem[], item: Omit<PlanItem, 'key'>): readonly PlanItem[] {
  if (plan.length >= MOST_STEPS) return plan;
  return [...plan, { ...item, key: Math.max(0, ...plan.map(({ key }) => key)) + 1 }];
}

export const withoutItem = (plan: readonly PlanItem[], key: number): readonly PlanItem[] =>
  plan.filter((item) => item.key !== key);

/** A plan in which an action comes one step earlier. Unchanged for the first. */
export function earlier(plan: readonly PlanItem[], key: number): readonly PlanItem[] {
  const index = plan.findIndex((item) => item.key === key);
  const [before, moved] = [plan[index - 1], plan[index]];
  if (before === undefined || moved === undefined) return plan;
  return [...plan.slice(0, index - 1), moved, before, ...plan.slice(index + 1)];
}

/** The actions of one wallet: another wallet could not sign the rest. */
export const planOf = (plan: readonly PlanItem[], wallet: string): readonly PlanItem[] =>
  plan.filter(({ action }) => Object.values(action)[0]?.wallet === wallet);
