// Builds the gateway after every npm install, so that `npm start` need not compile TypeScript. A failed build does not fail the
// install: `npm start` then runs from source. Without development dependencies (`npm ci --omit=dev`) an existing build stays.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
  cwd: root,
  encoding: 'utf8',
});
if (status !== 0)
  process.stdout.write(
    `the gateway was not built; npm start uses an earlier build or runs from source.\n${stderr}`,
  );
