import { type FuzzAnswer, type FuzzRequest, shown } from './fuzz-request.ts';
import type { FuzzSite } from './fuzz-site.ts';

export interface FuzzRun {
  readonly name: string;
  readonly seed: number;
  readonly count: number;
  readonly connections: number;
  /** Longer than any deadline of the gateway, so a missing answer by then is a hang. */
  readonly hangMs: number;
  readonly site: FuzzSite;
  readonly request: (number: number) => FuzzRequest;
  readonly problems: (request: FuzzRequest, answer: FuzzAnswer) => readonly string[];
}

export interface FuzzOutcome {
  readonly answered: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** The first few, each with its number and what to run to see it alone. */
  readonly failures: readonly string[];
}

const MAX_FAILURES = 40;
/** Limit per kind of problem, so that one fault does not hide the others. */
const OF_A_KIND = 2;
const KIND_LENGTH = 40;
/** Progress interval of a long run. */
const PROGRESS_EVERY = 5_000;

/** Which requests of a run are sent: all, or one alone by its number. */
function numbersOf(count: number): readonly number[] {
  const only = process.env.FUZZ_ONLY;
  return only === undefined ? Array.from({ length: count }, (_, i) => i) : only.split(',').map(Number);
}

/** A seed from the environment, to see a run again; otherwise the given one. */
export function fuzzSeed(otherwise: number): number {
  return Number(process.env.FUZZ_SEED ?? otherwise);
}

/** Sends all requests of a run, several at once, and gathers what is wrong with the answers. */
export async function runFuzz(run: FuzzRun): Promise<FuzzOutcome> {
  process.stdout.write(`${run.name}: ${run.count} requests, FUZZ_SEED=${run.seed}\n`);
  const numbers = numbersOf(run.count).values();
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const kinds = new Map<string, number>();
  let answered = 0;
  const worker = async () => {
    for (const number of numbers) {
      if (failures.length >= MAX_FAILURES) return;
      const request = run.request(number);
      const report = (problem: string) => {
        const kind = problem.slice(0, KIND_LENGTH);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if ((kinds.get(kind) ?? 0) > OF_A_KIND) return;
        const failure = `FUZZ_SEED=${run.seed} FUZZ_ONLY=${number}: ${problem}\n  ${shown(request)}`;
        failures.push(failure);
        process.stdout.write(`${failure}\n`);
      };
      try {
        const answer = await run.site.ask(request, AbortSignal.timeout(run.hangMs));
        if (answer === null) continue;
        answered += 1;
        if (answered % PROGRESS_EVERY === 0)
          process.stdout.write(`${run.name}: ${answered} of ${run.count}, ${failures.length} failures\n`);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        for (const problem of new Set(run.problems(request, answer))) report(problem);
      } catch (error) {
        report(`no answer: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: run.connections }, worker));
  const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  process.stdout.write(`${run.name}: ${answered} answers, ${seen.join(', ')}\n`);
  return { answered, statuses, failures };
}
