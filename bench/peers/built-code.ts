import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Sources and harness as plain JavaScript, in the same folders as in the repository. */
export const BUILT = join(ROOT, 'dist/bench');

const run = promisify(execFile);
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

async function newest(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('node_modules') && /\.ts$/.test(entry.name),
  );
  const times = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  );
  return Math.max(...times);
}

const changed = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

const node = (...args: readonly string[]) => run(process.execPath, args, { cwd: ROOT });

/**
 * Every contender runs as plain JavaScript on bare node, as in production. A compiler in the process would distort its time
 * and memory. Types are not checked here.
 */
export async function buildAll(): Promise<void> {
  const sources = Math.max(await newest(join(ROOT, 'src')), await newest(join(ROOT, 'bench')));
  const stamps = await Promise.all(
    [join(ROOT, 'dist/main.js'), join(BUILT, 'src/config/config.js'), join(BUILT, 'bench/slow-rpc.js')].map(
      changed,
    ),
  );
  if (stamps.every((stamp) => stamp > sources)) return;
  // In sequence: the product build clears `dist`.
  await node('--import', 'tsx', 'scripts/build.ts');
  await node(TSC, '-p', 'bench/peers/tsconfig.json', '--noCheck');
  await linkPackages();
}

/** Lets the compiled sources import each other by package name; the packages themselves have only TypeScript to offer. */
async function linkPackages(): Promise<void> {
  const scope = join(BUILT, 'node_modules/@sluice');
  await rm(scope, { recursive: true, force: true });
  await mkdir(scope, { recursive: true });
  for (const name of await readdir(join(BUILT, 'packages'))) {
    const folder = join(BUILT, 'packages', name);
    const exports = { '.': './src/index.js', './*': './src/*.js' };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports }));
    await symlink(folder, join(scope, name), 'dir');
  }
}
