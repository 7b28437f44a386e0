import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySources } from './copy-sources.ts';
import { checkAnswers, LISTENING, ProgramProcess, untilReady } from './program-process.ts';

/**
 * Runs a clean copy of the sources on other releases of Node: `npm ci`, the gateway on its localnet as `npm start` runs
 * it, an orderly stop, and a few test files of each kind, which load the sources. On the release of the image also
 * `scripts/image-check.ts`. npm's `node` package provides the binaries.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RELEASES = process.argv.length > 2 ? process.argv.slice(2) : ['24', '26'];
const TESTS = [
  'test/unit/decimal.test.ts',
  'test/unit/schema.test.ts',
  'test/unit/builders-plan.test.ts',
  'test/verification/account-codecs.test.ts',
  'test/query/abuse.test.ts',
  'test/query/lists.test.ts',
  'test/query/limits-http.test.ts',
  'test/contract/lending-markets.test.ts',
  'test/live/events.test.ts',
  'test/faults/http-channel.test.ts',
  'test/store/empty-database.process.test.ts',
];
const { PATH = '', HOME = '' } = process.env;

const say = (line: string) => process.stdout.write(`node: ${line}\n`);

async function checkGateway(node: string, cwd: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'sluice-node-data-'));
  try {
    const env = { PATH, HOME, PORT: '0', DATA_DIR: data };
    const gateway = new ProgramProcess({ command: node, args: ['scripts/start.mjs'], cwd, env });
    const url = await gateway.says(LISTENING);
    await untilReady(url);
    await checkAnswers(url);
    await gateway.stop();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** The release of Node on which the image is built and run. */
function imageRelease(): string {
  const [, release] = /^FROM node:(\d+)/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  if (release === undefined) throw new Error('the Dockerfile names no release of Node');
  return release;
}

async function checkRelease(release: string, folder: string): Promise<void> {
  const [binaries, sources] = [join(folder, 'binaries'), join(folder, 'sources')];
  const npmInstall = ['install', '--no-audit', '--no-fund', '--prefix', binaries, `node@${release}`];
  execFileSync('npm', npmInstall, { stdio: ['ignore', 'ignore', 'inherit'] });
  const node = join(binaries, 'node_modules/node/bin/node');
  const version = String(execFileSync(node, ['--version'])).trim();
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${PATH}` };
  copySources(sources);
  const npmCi = ['ci', '--no-audit', '--no-fund'];
  execFileSync('npm', npmCi, { cwd: sources, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (!existsSync(join(sources, 'dist/built'))) throw new Error(`${version}: npm ci built nothing`);
  say(`${version}: installed and built`);
  await checkGateway(node, sources);
  say(`${version}: the gateway answers and stops in order`);
  execFileSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...TESTS], {
    cwd: sources,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  say(`${version}: ${TESTS.length} test files pass`);
  if (release === imageRelease()) {
    const args = ['--import', 'tsx', 'scripts/image-check.ts', sources];
    execFileSync(node, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  }
}

for (const release of RELEASES) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-node-'));
  try {
    // The image is run by another user.
    chmodSync(folder, 0o755);
    await checkRelease(release, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
