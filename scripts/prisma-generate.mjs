// Generates the Prisma client into src/store/generated, with nothing from the network. Runs after every npm install;
// where the CLI is not installed (`npm ci --omit=dev`) the client that was built before is used as it is.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function findCli() {
  try {
    const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
    return join(dirname(manifest), 'build', 'index.js');
  } catch {
    return null;
  }
}

const cli = findCli();
if (cli === null) {
  const built = ['src/store/generated/client.ts', 'dist/store/generated/client.js'].some((file) =>
    existsSync(join(root, file)),
  );
  process.stdout.write(
    built
      ? 'prisma: the CLI is not installed; the client that is there is used.\n'
      : 'prisma: the CLI is not installed and no client was generated. Run `npm ci` with the development dependencies and `npm run build` first.\n',
  );
} else {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: root,
    // Neither the check for updates nor the usage report may reach out.
    env: { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    encoding: 'utf8',
  });
  if (status !== 0)
    process.stderr.write(`${stderr}prisma: the client was not generated; npx prisma generate shows why.\n`);
  process.exitCode = status ?? 1;
}
