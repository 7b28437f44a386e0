// Adds up the counts that vitest wrote. A step that failed outside of a test counts as one failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of readdirSync(folder)) {
  const counts = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  passed += counts.numPassedTests;
  failed += counts.numFailedTests;
}
if (status !== '0' && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
