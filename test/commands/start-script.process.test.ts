import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
let folder: string;

const PACKAGES = ['protocol', 'localnet', 'graphql-executor', 'rpc-pool', 'geyser'].map(
  (name) => `packages/${name}/src`,
);

/** A project that prints where it runs from. Its build is newer than its sources. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  for (const part of ['src/deep', 'dist', 'scripts', ...PACKAGES])
    await mkdir(join(folder, part), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'src/main.ts'), `const from: string = 'source';\nprocess.stdout.write(from);`);
  await writeFile(join(folder, 'src/deep/part.ts'), 'export {};');
  await writeFile(join(folder, 'dist/main.js'), `process.stdout.write('built');`);
  await writeFile(join(folder, 'dist/built'), '');
  for (const script of ['start.mjs', 'is-built.mjs'])
    await cp(`scripts/${script}`, join(folder, `scripts/${script}`));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  for (const part of ['src/main.ts', 'src/deep/part.ts', 'src/deep', 'src', ...PACKAGES])
    await written(part, 1_000);
  await written('dist/built', 2_000);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function written(file: string, at: number): Promise<void> {
  await utimes(join(folder, file), at, at);
}

async function started(): Promise<string> {
  return (await run(process.execPath, [join(folder, 'scripts/start.mjs')])).stdout;
}

describe('npm start', () => {
  it('runs the build', async () => {
    expect(await started()).toBe('built');
  });

  it.each([
    ['a source was changed', () => written('src/deep/part.ts', 3_000)],
    ['a source of a package was changed', () => written('packages/protocol/src', 3_000)],
    ['a source was removed', () => rm(join(folder, 'src/deep/part.ts'))],
    ['nothing was built', () => rm(join(folder, 'dist'), { recursive: true })],
    ['a build was not finished', () => rm(join(folder, 'dist/built'))],
  ])('runs from source when %s', async (_, change) => {
    await change();
    expect(await started()).toBe('source');
  });
});
