// Generates the Prisma client in src/store/generated without network access. Runs after every npm install. Without the CLI
// (`npm ci --omit=dev`) an existing client or build is used.
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
  const built = ['src/store/generated/client.ts', 'dist/main.js'].some((file) =>
    existsSync(join(root, file)),
  );
  process.stdout.write(
    built
      ? 'prisma: the CLI is not installed; using the existing client.\n'
      : 'prisma: the CLI is not installed and no client was generated. Run `npm ci` with the development dependencies and `npm run build` first.\n',
  );
} else {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: root,
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    encoding: 'utf8',
  });
  if (status !== 0)
    process.stderr.write(`${stderr}prisma: the client was not generated; npx prisma generate shows why.\n`);
  process.exitCode = status ?? 1;
}
