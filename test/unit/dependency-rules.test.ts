import { describe, expect, it } from 'vitest';
import { dependencyProblems } from '../../scripts/dependency-rules.ts';
import { readProjectFile } from '../support/deployment/project-files.ts';

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}

const LOCK = JSON.parse(readProjectFile('package-lock.json')) as Lock;
const MANIFEST = JSON.parse(readProjectFile('package.json')) as { readonly allowScripts: object };

/** The problems with one more package. */
const withPackage = (locked: object) =>
  dependencyProblems(
    {
      packages: { ...LOCK.packages, 'node_modules/a/node_modules/@new/one': { version: '1.0.0', ...locked } },
    },
    MANIFEST,
  );
const SOUND = { license: 'MIT', integrity: 'sha512-x', resolved: 'https://registry.npmjs.org/one.tgz' };

describe('the rules for dependencies', () => {
  it('hold for what is locked', () => {
    expect(dependencyProblems(LOCK, MANIFEST)).toEqual([]);
    expect(withPackage(SOUND)).toEqual([]);
  });

  it.each([
    ['another licence', { ...SOUND, license: 'EPL-2.0' }, 'has the licence EPL-2.0, which is not allowed'],
    ['no licence', { ...SOUND, license: undefined }, 'has the licence none, which is not allowed'],
    ['no digest', { ...SOUND, integrity: undefined }, 'has no SHA-512 digest in the lock file'],
    ['a weak digest', { ...SOUND, integrity: 'sha1-x' }, 'has no SHA-512 digest in the lock file'],
    [
      'another origin',
      { ...SOUND, resolved: 'git+ssh://git@github.com/a/b.git' },
      'does not come from the registry: git+ssh://git@github.com/a/b.git',
    ],
    ['an install script', { ...SOUND, hasInstallScript: true }, 'has an install script that nobody has read'],
  ])('refuse a package with %s', (_, locked, problem) => {
    expect(withPackage(locked)).toEqual([`@new/one 1.0.0 ${problem}`]);
  });

  it('want a new version of an allowed install script to be read', () => {
    const newer = { ...LOCK.packages['node_modules/esbuild'], version: '99.0.0' };
    const packages = { ...LOCK.packages, 'node_modules/esbuild': newer };
    expect(dependencyProblems({ packages }, MANIFEST)).toEqual([
      'esbuild 99.0.0 has an install script that was read in version 0.28.2 only',
    ]);
  });

  it('keep the script that reports installations off', () => {
    const allowScripts = { ...MANIFEST.allowScripts, '@scarf/scarf': true };
    expect(dependencyProblems(LOCK, { ...MANIFEST, allowScripts })).toEqual([
      'package.json: allowScripts must have "@scarf/scarf": false',
    ]);
    expect(dependencyProblems(LOCK, { ...MANIFEST, scarfSettings: { enabled: true } })).toEqual([
      'package.json: scarfSettings.enabled must be false',
    ]);
  });

  it('refuse a package that reports its use, unless it is silenced', () => {
    const packages = { ...LOCK.packages, 'node_modules/posthog-node': { version: '1.0.0', ...SOUND } };
    expect(dependencyProblems({ packages }, MANIFEST)).toEqual([
      'posthog-node 1.0.0 reports its use, and nothing silences it',
    ]);
    // Read by every command of the Prisma CLI before it reports.
    expect(readProjectFile('prisma.config.ts')).toMatch(/^process\.env\.CHECKPOINT_DISABLE \?\?= '1';$/m);
  });

  it('drop exceptions that nothing needs', () => {
    const packages = Object.fromEntries(
      Object.entries(LOCK.packages).filter(([path]) => path !== 'node_modules/elkjs'),
    );
    expect(dependencyProblems({ packages }, MANIFEST)).toEqual([
      'the licence exception for elkjs is not needed',
    ]);
  });
});
