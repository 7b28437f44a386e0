import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Runs a module of ours on a thread of its own.
 *
 * @param module its address in the source, `new URL('./name.ts', import.meta.url)`
 */
export function startThread(module: URL, workerData: unknown): Worker {
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL(module.href.replace(/\.ts$/, '.js')), { workerData });
  }
  // From source: a thread does not inherit what lets this one read TypeScript.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const start = `import('${new URL('dist/esm/api/index.mjs', tsx)}').then((tsx) => tsx.tsImport('${module}', '${module}'))`;
  return new Worker(start, { workerData, eval: true });
}
