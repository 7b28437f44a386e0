import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const run = promisify(execFile);

/** An application in which nothing is installed but one packed package, with its dependencies and peers. */
export interface Application {
  readonly folder: string;
  /** Files of the installed package. */
  readonly files: readonly string[];
  /** Runs a module of the application. Returns what it prints. */
  run(module: string, source: string, args?: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Packs and installs a package of this repository, which is built for that. */
export async function applicationWith(packageFolder: string): Promise<Application> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-application-'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: packageFolder });
  const [tarball = expect.fail()] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as Manifest;
  // npm accepts packages that are there already, so it needs no registry.
  for (const name of await dependenciesOf(manifest, new Set()))
    await cp(join(MODULES, name), join(folder, 'node_modules', name), { recursive: true });
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, `./${tarball}`], { cwd: folder });
  return {
    folder,
    files: await readdir(join(folder, 'node_modules', manifest.name), { recursive: true }),
    run: async (module, source, args = []) => {
      await writeFile(join(folder, module), source);
      return (await run(process.execPath, [module, ...args], { cwd: folder })).stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Every package that npm would install with this one. */
async function dependenciesOf(of: Omit<Manifest, 'name'>, found: Set<string>): Promise<ReadonlySet<string>> {
  for (const name of Object.keys({ ...of.dependencies, ...of.peerDependencies })) {
    if (found.has(name)) continue;
    const text = await readFile(join(MODULES, name, 'package.json'), 'utf8').catch(() => null);
    // An optional peer that this checkout does not have.
    if (text === null) continue;
    found.add(name);
    await dependenciesOf(JSON.parse(text) as Manifest, found);
  }
  return found;
}

/** The first example below a heading of a readme. */
export async function exampleIn(readme: string, heading: string): Promise<string> {
  const text = await readFile(readme, 'utf8');
  const [, example = expect.fail()] = text.split(`\n## ${heading}\n`)[1]?.match(/```ts\n(.*?)```/s) ?? [];
  return example;
}
