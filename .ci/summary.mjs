// Says where the time went and names the tests that passed only in a repetition, then adds up the counts that vitest wrote.
// A step that failed outside of a test counts as one failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Test files to name. */
const SLOWEST = 20;

const [folder, status] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const written = readdirSync(folder);
const isTimes = (file) => file.endsWith('.times.json');

const times = written.filter(isTimes).flatMap(read);
if (times.length > 0) {
  const seconds = ({ imports, hooks, tests }) => imports + hooks + tests;
  const total = (part) => Math.round(times.reduce((sum, each) => sum + each[part], 0));
  const [imports, hooks, tests] = ['imports', 'hooks', 'tests'].map(total);
  process.stdout.write(
    `seconds of ${times.length} files, summed over workers: imports ${imports}, hooks ${hooks}, tests ${tests}\n`,
  );
  const slowest = times.sort((a, b) => seconds(b) - seconds(a)).slice(0, SLOWEST);
  process.stdout.write('slowest files (imports + hooks + tests):\n');
  for (const each of slowest) {
    const parts = [each.imports, each.hooks, each.tests].map((part) => part.toFixed(1)).join(' + ');
    process.stdout.write(`${seconds(each).toFixed(1).padStart(7)} s  ${each.file} (${parts})\n`);
  }
}

let passed = 0;
let failed = 0;
const repeated = [];
for (const file of written.filter((each) => !isTimes(each))) {
  const counts = read(file);
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
  for (const { name, assertionResults } of counts.testResults) {
    // A test that passed has the failures of its earlier attempts.
    const again = assertionResults.filter(
      (test) => test.status === 'passed' && test.failureMessages.length > 0,
    );
    repeated.push(...again.map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`));
  }
}
if (status !== '0' && failed === 0) failed = 1;
for (const test of repeated) process.stdout.write(`passed only in a repetition: ${test}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
