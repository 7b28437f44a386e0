import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { CODE_FOLDER, IS_BUILT } from '../files/places.ts';

/** Modules that run on threads. Each is an entry point of its own in the built code. */
export const THREADS = ['store/embedded/worker', 'embedded-history/seed-thread'] as const;

/** Runs a module of ours on a thread of its own. */
export function startThread(
  module: (typeof THREADS)[number],
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const options = { workerData, resourceLimits };
  if (IS_BUILT) return new Worker(new URL(`${module}.js`, CODE_FOLDER), options);
  // From source: a thread does not inherit what lets this one read TypeScript.
  const source = new URL(`${module}.ts`, CODE_FOLDER);
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const start = `import('${new URL('dist/esm/api/index.mjs', tsx)}').then((tsx) => tsx.tsImport('${source}', '${source}'))`;
  return new Worker(start, { ...options, eval: true });
}
