import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file by its path from the root of the project. */
export const projectFile = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const readProjectFile = (path: string): string => readFileSync(projectFile(path), 'utf8');
