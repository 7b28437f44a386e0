import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const sources = [
  'src',
  'packages/protocol/src',
  'packages/localnet/src',
  'packages/graphql-executor/src',
  'packages/rpc-pool/src',
  'packages/geyser/src',
].map((folder) => fileURLToPath(new URL(folder, root)));

/** Newest modification time of the sources. Folders count, because deleting a file only changes its folder. */
function lastChange() {
  const changes = sources.flatMap((folder) => [
    statSync(folder),
    ...readdirSync(folder, { recursive: true }).map((entry) => statSync(join(folder, entry))),
  ]);
  return Math.max(...changes.map(({ mtimeMs }) => mtimeMs));
}

/** Whether `dist` is newer than every source. The build writes `dist/built` last. */
export function isBuilt() {
  const built = statSync(new URL('dist/built', root), { throwIfNoEntry: false });
  return built !== undefined && built.mtimeMs > lastChange();
}
