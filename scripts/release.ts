import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  checkNextVersion,
  closeUnreleased,
  ReleaseProblem,
  setImageTag,
  setLockVersions,
  setManifestVersion,
} from './release-edits.ts';

/**
 * Makes the commit of a release: sets the version everywhere, closes its section of the changelog, writes openapi.json and
 * packs the packages that are published, as a check. With `--dry-run`, says what it would do. It makes no tag.
 */
const USAGE = 'Usage: npm run release -- VERSION [--dry-run]\n';
const ROOT = new URL('../', import.meta.url);
/** Where the tarballs are left, for a look at their content. Not committed. */
const PACKS = 'dist/packs';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const packageAt = (path: string): Package => JSON.parse(read(path));
const print = (line: string) => process.stdout.write(`${line}\n`);

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd: fileURLToPath(ROOT),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The new texts of all files that name the version, by path. openapi.json is generated afterwards. */
function editsOf(manifests: readonly string[], own: readonly string[], version: string): Map<string, string> {
  return new Map([
    ...manifests.map((path) => [path, setManifestVersion(read(path), own, version)] as const),
    ['package-lock.json', setLockVersions(read('package-lock.json'), own, version)] as const,
    [
      'deploy/kubernetes/kustomization.yaml',
      setImageTag(read('deploy/kubernetes/kustomization.yaml'), version),
    ] as const,
    ['CHANGELOG.md', closeUnreleased(read('CHANGELOG.md'), version)] as const,
  ]);
}

function release(version: string, isDryRun: boolean): void {
  const { version: current } = packageAt('package.json');
  checkNextVersion(current, version);
  if (run('git', 'status', '--porcelain') !== '')
    throw new ReleaseProblem('There are uncommitted changes: commit or remove them first.');
  const workspaces = readdirSync(new URL('packages/', ROOT)).map((name) => `packages/${name}/package.json`);
  const packages = workspaces.map(packageAt);
  const published = packages.flatMap(({ name, private: isPrivate }) => (isPrivate ? [] : [name]));
  const edits = editsOf(
    ['package.json', ...workspaces],
    packages.map(({ name }) => name),
    version,
  );
  const changed = [...edits.keys(), 'openapi.json'];
  if (isDryRun) {
    print(`Would release ${version} after ${current}:`);
    for (const path of changed) print(`  edit ${path}`);
    for (const name of published) print(`  pack ${name} to ${PACKS}`);
    print(`  commit "Release ${version}"`);
    return;
  }
  for (const [path, text] of edits) writeFileSync(new URL(path, ROOT), text);
  run('npm', 'run', '--silent', 'openapi');
  rmSync(new URL(`${PACKS}/`, ROOT), { recursive: true, force: true });
  mkdirSync(new URL(`${PACKS}/`, ROOT), { recursive: true });
  const chosen = published.map((name) => `--workspace=${name}`);
  print(run('npm', 'pack', '--silent', '--pack-destination', PACKS, ...chosen).trim());
  run('git', 'commit', '--message', `Release ${version}`, '--', ...changed);
  print(`Committed "Release ${version}". Packages are in ${PACKS}. The tag is made where it is published.`);
}

try {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0) throw new ReleaseProblem(USAGE.trim());
  release(version, values['dry-run'] === true);
} catch (error) {
  if (!(error instanceof ReleaseProblem)) {
    process.stderr.write('The release failed. `git restore .` removes its edits.\n');
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
