import { checkCount, checkPlanOptions, checkStepOptions } from '../../builders/plan/checks.ts';
import { atStep } from '../../errors/sluice-error.ts';
import { ACTION_OPTIONS } from './action-options.ts';
import type { BuildSource } from './build-source.ts';
import { type Action, type BuildOptions, type PreparedBuild, preparePlan } from './builds.ts';
import { type BuildOptionsInput, buildOptions } from './options-input.ts';

/** An action of a plan as a request has it, with the options of transactions that it states. */
export interface RequestedStep {
  readonly action: Action;
  readonly options: BuildOptions;
}

/** Options of a plan as a request has them. Those of an action are refused. */
export type PlanOptionsInput = BuildOptionsInput & {
  readonly [K in (typeof ACTION_OPTIONS)[number]]?: unknown;
};

/** Builds the actions of a request as one plan. An error of an action names its step. */
export async function requestedPlan(
  source: BuildSource,
  steps: readonly (() => Promise<RequestedStep>)[],
  options: PlanOptionsInput | null | undefined,
): Promise<PreparedBuild> {
  checkCount(steps.length);
  checkPlanOptions(ACTION_OPTIONS.filter((name) => (options?.[name] ?? null) !== null));
  const requested = await Promise.all(steps.map((step, index) => named(index, step)));
  for (const [step, each] of requested.entries()) checkStepOptions(step, Object.keys(each.options));
  return preparePlan(
    source,
    requested.map(({ action }) => action),
    buildOptions(options),
  );
}

async function named<T>(step: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    return atStep(step, () => {
      throw error;
    });
  }
}
