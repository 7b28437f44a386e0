import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const sources = fileURLToPath(new URL('src', root));

/** Newest modification time in `src`. Folders count, because deleting a file only changes its folder. */
function lastChange() {
  const changes = [statSync(sources)];
  for (const entry of readdirSync(sources, { recursive: true })) changes.push(statSync(join(sources, entry)));
  return Math.max(...changes.map(({ mtimeMs }) => mtimeMs));
}

/** Whether `dist` is newer than every source. The build writes `dist/built` last. */
export function isBuilt() {
  const built = statSync(new URL('dist/built', root), { throwIfNoEntry: false });
  return built !== undefined && built.mtimeMs > lastChange();
}
