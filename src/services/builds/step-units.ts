import type { PlannedTransaction } from '../../builders/plan/groups.ts';

export interface StepUnits {
  /** Index in the plan. */
  readonly step: number;
  readonly unitsConsumed: number;
}

/**
 * Compute units that the instructions of each step consumed, from the logs of its transaction. A step that did not run,
 * because an earlier one failed, is missing.
 */
export function stepUnits(
  { owners, steps }: Pick<PlannedTransaction, 'owners' | 'steps'>,
  logs: readonly string[],
): StepUnits[] {
  const units = unitsOfInstructions(logs);
  return steps.flatMap((step) => {
    const ran = units.filter((_, index) => owners[index] === step);
    return ran.length === 0 ? [] : [{ step, unitsConsumed: ran.reduce((sum, each) => sum + each, 0) }];
  });
}

/** Units of each instruction that began, with those of the programs that it called. Native programs report none. */
function unitsOfInstructions(logs: readonly string[]): number[] {
  const units: number[] = [];
  let depth = 0;
  for (const line of logs) {
    const invoked = / invoke \[(\d+)\]$/.exec(line);
    if (invoked !== null) depth = Number(invoked[1]);
    if (invoked !== null && depth === 1) units.push(0);
    const consumed = /^Program \w+ consumed (\d+) of \d+ compute units$/.exec(line);
    if (consumed !== null && depth === 1) units[units.length - 1] = Number(consumed[1]);
    if (/^Program \w+ (success$|failed)/.test(line)) depth -= 1;
  }
  return units;
}
