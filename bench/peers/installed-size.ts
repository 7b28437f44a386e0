import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface Entry {
  readonly version?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}
type Packages = Readonly<Record<string, Entry>>;

/** Resolves a package as node does: in the folder of the dependent, then in the folders above. */
function found(packages: Packages, from: string, name: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (place === '') return undefined;
  }
}

function needs({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}: Entry): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

/** Lock file paths of the given packages and everything they need to run. */
export function needed(packages: Packages, roots: readonly string[]): Set<string> {
  const places = new Set<string>();
  const visit = (from: string, name: string) => {
    const place = found(packages, from, name);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    for (const other of needs(packages[place] ?? {})) visit(place, other);
  };
  for (const root of roots) visit('', root);
  return places;
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    if (entry.name === 'node_modules') return 0;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return await bytesIn(path);
    return entry.isFile() ? (await stat(path)).size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

/**
 * Size of the given packages with everything they need, or of all dependencies of the project. Packages for other platforms
 * are in the lock file but not installed, and do not count.
 */
export async function installed(lockFile: string, roots?: readonly string[]): Promise<Installed> {
  const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as { packages: Packages };
  const wanted = roots ?? Object.keys(packages['']?.dependencies ?? {});
  const sizes = await Promise.all(
    [...needed(packages, wanted)].map((place) =>
      bytesIn(join(dirname(lockFile), place)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),
    ),
  );
  const present = sizes.filter((size) => size !== null);
  return { packages: present.length, bytes: present.reduce((sum, size) => sum + size, 0) };
}
