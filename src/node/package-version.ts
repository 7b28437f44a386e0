import { readFile } from 'node:fs/promises';
import { PACKAGE_FOLDER } from './package-files.ts';

/** The version of this package, from its manifest. */
export async function packageVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('package.json', PACKAGE_FOLDER), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new Error('package.json has no version');
}
