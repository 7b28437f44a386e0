import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { CODE_FOLDER, IS_BUILT, PACKAGE_FOLDER } from './package-files.ts';

/** Modules that run on threads. Each is an entry point of its own in the built code. */
export const THREADS = ['store/embedded/worker', 'demo/history/seed-thread'] as const;

/** Runs a module of ours on a thread of its own. */
export async function startThread(
  module: (typeof THREADS)[number],
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Promise<Worker> {
  const file = IS_BUILT ? new URL(`${module}.js`, CODE_FOLDER) : new URL(`${module}.mjs`, await bundles());
  return new Worker(file, { workerData, resourceLimits });
}

let bundled: Promise<URL> | undefined;

/** Where the bundles are, made once in the life of a process. What failed is tried again. */
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
 * From source: a thread does not inherit what lets this one read TypeScript, and to read its modules one by one takes every
 * thread seconds. So there is a bundle for each. Packages stay where they are.
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
    // Another process may be about to read the one that is there.
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, contents);
    await rename(unfinished, path);
  }
  return folder;
}
