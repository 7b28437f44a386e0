/** Edits of a release, as functions from the text of a file to its new text. */

/** A problem that the person who releases can solve. */
export class ReleaseProblem extends Error {
  override readonly name = 'ReleaseProblem';
}

const PARTS = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Refuses a version that is not three numbers or not greater than the current one. */
export function checkNextVersion(current: string, next: string): void {
  const [from, to] = [partsOf(current), partsOf(next)];
  const first = to.findIndex((part, i) => part !== from[i]);
  if (first !== -1 && (to[first] ?? 0) > (from[first] ?? 0)) return;
  throw new ReleaseProblem(`The version is ${current}: pass a greater one than ${next}.`);
}

function partsOf(version: string): readonly number[] {
  const [, ...parts] = PARTS.exec(version) ?? [];
  if (parts.length === 0)
    throw new ReleaseProblem(`"${version}" is not a version: pass three numbers, such as 0.5.0.`);
  return parts.map(Number);
}

const UNRELEASED = '## Unreleased\n';

/** Names the section "Unreleased" after the version, below a new and empty one. */
export function closeUnreleased(changelog: string, version: string): string {
  const [before, after, ...more] = changelog.split(`\n${UNRELEASED}`);
  if (before === undefined || after === undefined || more.length > 0)
    throw new ReleaseProblem('CHANGELOG.md must have one section "## Unreleased".');
  const [section = ''] = after.split('\n## ');
  if (section.trim() === '')
    throw new ReleaseProblem(
      'The section "## Unreleased" of CHANGELOG.md is empty: there is nothing to release.',
    );
  return `${before}\n${UNRELEASED}\n## ${version}\n${after}`;
}

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies'] as const;

/** Sets the version of a package.json, and of the packages of this repository that it depends on. */
export function setManifestVersion(text: string, own: readonly string[], version: string): string {
  const manifest: Manifest = JSON.parse(text);
  setVersion(manifest, own, version);
  return printed(manifest);
}

/** Does the same in package-lock.json, for the root and for all packages of this repository. */
export function setLockVersions(text: string, own: readonly string[], version: string): string {
  const lock: Pick<Manifest, 'version'> & { packages: Record<string, Manifest> } = JSON.parse(text);
  lock.version = version;
  for (const [path, manifest] of Object.entries(lock.packages)) {
    if (path === '' || path.startsWith('packages/')) setVersion(manifest, own, version);
  }
  return printed(lock);
}

function setVersion(manifest: Manifest, own: readonly string[], version: string): void {
  manifest.version = version;
  for (const kind of DEPENDENCIES) {
    const dependencies = manifest[kind] ?? {};
    for (const name of own) if (name in dependencies) dependencies[name] = version;
  }
}

/** As npm writes these files. */
const printed = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Sets the tag of the image in the Kubernetes manifests. */
export function setImageTag(kustomization: string, version: string): string {
  const line = /^( *newTag: ).*$/m;
  if (!line.test(kustomization))
    throw new ReleaseProblem('deploy/kubernetes/kustomization.yaml has no `newTag`.');
  return kustomization.replace(line, `$1${version}`);
}
