// Names the tests that passed only in a repetition, then adds up the counts that vitest wrote. A step that failed outside of a
// test counts as one failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
const repeated = [];
for (const file of readdirSync(folder)) {
  const counts = JSON.parse(readFileSync(join(folder, file), 'utf8'));
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
