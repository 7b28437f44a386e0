import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the gateway: as given, from `SLUICE_GATEWAY`, or the checkout that this package is part of. */
export function gatewayFolder(given: string | undefined): string {
  const wanted = given ?? process.env.SLUICE_GATEWAY;
  if (wanted !== undefined) {
    if (isGateway(wanted)) return resolve(wanted);
    throw new Error(`${resolve(wanted)} is not a checkout of sluice.`);
  }
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (isGateway(folder)) return folder;
    if (folder === dirname(folder))
      throw new Error(
        'No gateway found: set SLUICE_GATEWAY to a checkout of sluice, after `npm install` there.',
      );
  }
}

function isGateway(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name === 'sluice';
}

/** Arguments of node that run a program: its build, or in a checkout with newer sources those. */
export async function programArguments(folder: string, program: 'main' | 'localnet'): Promise<string[]> {
  const source = program === 'main' ? 'src/main.ts' : 'packages/localnet/src/cli.ts';
  const runsBuild = !existsSync(join(folder, source)) || (await isBuilt(folder));
  return runsBuild ? [`dist/${program}.js`] : ['--import', 'tsx', source];
}

/** The rule of `npm start`. */
async function isBuilt(folder: string): Promise<boolean> {
  const script = pathToFileURL(join(folder, 'scripts/is-built.mjs')).href;
  return ((await import(/* @vite-ignore */ script)) as { isBuilt(): boolean }).isBuilt();
}
