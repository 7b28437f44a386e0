import { parseArgs } from 'node:util';
import { measureRefusals } from './abuse/refusals.ts';
import { printReport, readReport, verdictsOf, writeReport } from './abuse/report.ts';
import { searchAbuse } from './abuse/search.ts';

const PROGRESS_EVERY = 25;

/**
 * What one caller can do to the others: the cost of refusing a request, a flood of reads that go on after their answers,
 * and the dearest requests that are permitted. Those that were found and mended are in `abuse/worst-documents.ts` and
 * `abuse/corpus`, with how to add one.
 *
 *   npm run bench -- abuse [--minutes 60] [--seconds 1] [--rows 20] [--only Wallet.,/ktx/,MCP] [--seed 1] [--json FILE]
 *     [--from FILE] [--corpus FOLDER] [--search-only]
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      seconds: { type: 'string', default: '1' },
      rows: { type: 'string', default: '20' },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      from: { type: 'string' },
      corpus: { type: 'string' },
      'search-only': { type: 'boolean', default: false },
    },
  });
  const rows = Number(values.rows);
  if (!values['search-only'] && !(await measureRefusals())) process.exitCode = 1;
  const { alone, findings } = await searchAbuse({
    minutes: values.minutes === undefined ? null : Number(values.minutes),
    corpus: values.corpus ?? null,
    seconds: Number(values.seconds),
    rows,
    floods: !values['search-only'],
    only: values.only === '' ? [] : values.only.split(','),
    seed: Number(values.seed),
    found: values.from === undefined ? null : readReport(values.from),
    onFound: (found, done, of) => {
      if (done % PROGRESS_EVERY !== 0 && done !== of) return;
      process.stderr.write(`searched ${done} of ${of} fields\n`);
      // A search of all fields takes long: what was found is there even if it is interrupted.
      if (values.json !== undefined) writeReport(values.json, found, null);
    },
  });
  printReport(findings, alone, rows);
  if (values.json !== undefined) writeReport(values.json, findings, alone);
  if (verdictsOf(findings).some(({ isMet }) => !isMet)) process.exitCode = 1;
}
