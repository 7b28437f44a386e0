import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { CODE_FOLDER, IS_BUILT, PACKAGE_FOLDER } from './package-files.ts';

/** Modules that run on worker threads. The build makes an entry point of each. */
export const THREADS = ['store/embedded/worker', 'demo/history/seed-thread'] as const;

/** Starts a worker thread. */
export async function startThread(
  module: (typeof THREADS)[number],
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Promise<Worker> {
  const file = IS_BUILT ? new URL(`${module}.js`, CODE_FOLDER) : new URL(`${module}.mjs`, await bundles());
  return new Worker(file, { workerData, resourceLimits });
}

let bundled: Promise<URL> | undefined;

/** The folder of the bundles, built once per process; a failed build is retried. */
async function bundles(): Promise<URL> {
  bundled ??= bundleThreads();
  try {
    return await bundled;
  } catch (error) {
    bundled = undefined;
    throw error;
  }
}

/**
 * Bundles the threads when running from source: a worker does not inherit the TypeScript loader, and loading the modules
 * one by one would take each worker seconds. Packages stay external.
 */
async function bundleThreads(): Promise<URL> {
  const folder = new URL('node_modules/.cache/sluice/threads/', PACKAGE_FOLDER);
  const { build, stop } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = await build({
    entryPoints: THREADS.map((module) => fileURLToPath(new URL(`${module}.ts`, CODE_FOLDER))),
    outbase: fileURLToPath(CODE_FOLDER),
    outdir: fileURLToPath(folder),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
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
