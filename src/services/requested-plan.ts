import { checkCount, checkPlanOptions, checkStepOptions } from '../builders/plan/checks.ts';
import { atStep } from '../errors/sluice-error.ts';
import { type Action, type BuildOptions, type PreparedBuild, preparePlan } from './builds.ts';
import { type GivenBuildOptions, givenOptions } from './given-options.ts';
import type { Session } from './records.ts';

/** An action of a plan as a request has it, with the options of transactions that it states. */
export interface RequestedStep {
  readonly action: Action;
  readonly options: BuildOptions;
}

/** Options of a plan as a request has them. `unwrapSol` belongs to an action and is refused. */
export type GivenPlanOptions = GivenBuildOptions & { readonly unwrapSol?: boolean | null | undefined };

/** Builds the actions of a request as one plan. An error of an action names its step. */
export async function requestedPlan(
  session: Session,
  steps: readonly (() => Promise<RequestedStep>)[],
  options: GivenPlanOptions | null | undefined,
): Promise<PreparedBuild> {
  checkCount(steps.length);
  checkPlanOptions(options ?? {});
  const requested = await Promise.all(steps.map((step, index) => named(index, step)));
  for (const [step, each] of requested.entries()) checkStepOptions(step, Object.keys(each.options));
  return preparePlan(
    session,
    requested.map(({ action }) => action),
    givenOptions(options),
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
