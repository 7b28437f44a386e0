// Builds the gateway after every npm install, so that `npm start` need not read TypeScript. Where the tools are not installed
// (`npm ci --omit=dev`) or the build fails, what is there stays, and `npm start` runs from source.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
  cwd: root,
  encoding: 'utf8',
});
if (status !== 0) process.stdout.write(`nothing was built; npm start runs from source.\n${stderr}`);
