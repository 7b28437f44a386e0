import { existsSync } from 'node:fs';

/** Built code lies in fewer files than its source, so no file is looked for beside the module that reads it. */
export const IS_BUILT: boolean = import.meta.url.endsWith('.js');

/** Where package.json is, and what goes with it. */
export const PACKAGE_FOLDER: URL = folderAbove(new URL('.', import.meta.url));

/** Where the entry points are, those of threads among them, and the files that go with the code. */
export const CODE_FOLDER: URL = new URL(IS_BUILT ? 'dist/' : 'src/', PACKAGE_FOLDER);

function folderAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`there is no package.json above ${import.meta.url}`);
  return folderAbove(parent);
}
