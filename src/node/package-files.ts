import { existsSync } from 'node:fs';

/** Built code is bundled, so modules locate files relative to the package instead of relative to themselves. */
export const IS_BUILT: boolean = import.meta.url.endsWith('.js');

/** The folder of package.json. */
export const PACKAGE_FOLDER: URL = folderAbove(new URL('.', import.meta.url));

/** The folder of entry points, worker threads and code assets. */
export const CODE_FOLDER: URL = new URL(IS_BUILT ? 'dist/' : 'src/', PACKAGE_FOLDER);

function folderAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`no package.json above ${import.meta.url}`);
  return folderAbove(parent);
}
