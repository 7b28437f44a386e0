// Builds the gateway after every npm install, so that `npm start` need not read TypeScript. An install does not fail with it:
// without a build `npm start` runs from source. Where the tools for either are not installed (`npm ci --omit=dev`), a build that
// is there stays and is used.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
  cwd: root,
  encoding: 'utf8',
});
if (status !== 0)
  process.stdout.write(
    `the gateway was not built; npm start runs an earlier build, or from source.\n${stderr}`,
  );
