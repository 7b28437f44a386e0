import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CODE_FOLDER, IS_BUILT, PACKAGE_FOLDER } from './package-files.ts';

/** Modules that run on a thread or in a process of their own. The build makes an entry point of each. */
export const BACKGROUND_MODULES = ['store/embedded/worker', 'app/seed-history/seed-process'] as const;

type BackgroundModule = (typeof BACKGROUND_MODULES)[number];

/** Starts a worker thread. */
export async function startThread(module: BackgroundModule, workerData: unknown): Promise<Worker> {
  return new Worker(await fileOf(module), { workerData });
}

/** Starts a process, for work whose memory should return to the system when it ends. It ends with this process. */
export async function startProcess(
  module: BackgroundModule,
  nodeOptions: readonly string[],
): Promise<ChildProcess> {
  return fork(await fileOf(module), { execArgv: [...nodeOptions], serialization: 'advanced' });
}

async function fileOf(module: BackgroundModule): Promise<URL> {
  return IS_BUILT ? new URL(`${module}.js`, CODE_FOLDER) : new URL(`${module}.mjs`, await bundles());
}

let bundled: Promise<URL> | undefined;

/** The folder of the bundles, built once per process; a failed build is retried. */
async function bundles(): Promise<URL> {
  bundled ??= bundleModules();
  try {
    return await bundled;
  } catch (error) {
    bundled = undefined;
    throw error;
  }
}

/**
 * Bundles the modules when running from source: a thread does not inherit the TypeScript loader, and loading the modules
 * one by one would take seconds. Packages stay external.
 */
async function bundleModules(): Promise<URL> {
  const folder = new URL('node_modules/.cache/sluice/background/', PACKAGE_FOLDER);
  const { build, stop } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = await build({
    entryPoints: BACKGROUND_MODULES.map((module) => fileURLToPath(new URL(`${module}.ts`, CODE_FOLDER))),
    outbase: fileURLToPath(CODE_FOLDER),
    outdir: fileURLToPath(folder),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    // Packages of this repository are bundled from their sources.
    conditions: ['@sluice/source'],
    platform: 'node',
    target: 'node20',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  await stop();
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    // Renamed into place, because another process may be reading the old bundle.
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, contents);
    await rename(unfinished, path);
  }
  return folder;
}
