import { describe, expect, it } from 'vitest';
import {
  checkNextVersion,
  closeUnreleased,
  setImageTag,
  setLockVersions,
  setManifestVersion,
} from '../../scripts/release-edits.ts';

describe('checkNextVersion', () => {
  it.each(['0.4.1', '0.5.0', '0.10.0', '1.0.0'])('accepts %s after 0.4.0', (next) => {
    expect(() => checkNextVersion('0.4.0', next)).not.toThrow();
  });

  it.each(['0.4.0', '0.3.9', '0.0.99'])('refuses %s after 0.4.0', (next) => {
    expect(() => checkNextVersion('0.4.0', next)).toThrow('pass a greater one');
  });

  it('compares numbers, not texts', () => {
    expect(() => checkNextVersion('0.10.0', '0.9.0')).toThrow('pass a greater one');
  });

  it.each(['0.5', 'v0.5.0', '0.5.0.1', '0.05.0', '0.5.0-rc.1', ''])('refuses %j as no version', (next) => {
    expect(() => checkNextVersion('0.4.0', next)).toThrow('is not a version');
  });
});

describe('closeUnreleased', () => {
  it('names the section after the version, below a new one', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n\n## 0.4.0\n\n- Older.\n';
    expect(closeUnreleased(changelog, '0.5.0')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.5.0\n\n### Added\n- A thing.\n\n## 0.4.0\n\n- Older.\n',
    );
  });

  it('refuses a section without lines', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n## 0.4.0\n\n- Older.\n';
    expect(() => closeUnreleased(changelog, '0.5.0')).toThrow('nothing to release');
  });

  it('refuses a changelog without the section', () => {
    expect(() => closeUnreleased('# Changelog\n\n## 0.4.0\n', '0.5.0')).toThrow('one section');
  });
});

const OWN = ['@sluice/client', '@sluice/protocol'];

describe('setManifestVersion', () => {
  it('sets the version and those of our own packages, and nothing else', () => {
    const text = `{
  "name": "@sluice/explorer",
  "version": "0.4.0",
  "files": [
    "dist"
  ],
  "dependencies": {
    "@sluice/client": "0.4.0",
    "other": "0.4.0"
  },
  "devDependencies": {
    "@sluice/protocol": "0.4.0"
  }
}
`;
    expect(setManifestVersion(text, OWN, '0.5.0')).toBe(`{
  "name": "@sluice/explorer",
  "version": "0.5.0",
  "files": [
    "dist"
  ],
  "dependencies": {
    "@sluice/client": "0.5.0",
    "other": "0.4.0"
  },
  "devDependencies": {
    "@sluice/protocol": "0.5.0"
  }
}
`);
  });
});

describe('setLockVersions', () => {
  it('sets the root and our own packages, not those that were installed', () => {
    const lock = {
      name: 'sluice',
      version: '0.4.0',
      packages: {
        '': { name: 'sluice', version: '0.4.0', dependencies: { other: '0.4.0' } },
        'node_modules/other': { version: '0.4.0' },
        'packages/client': { name: '@sluice/client', version: '0.4.0' },
        'packages/localnet': { version: '0.4.0', devDependencies: { '@sluice/protocol': '0.4.0' } },
      },
    };
    expect(JSON.parse(setLockVersions(JSON.stringify(lock), OWN, '0.5.0'))).toEqual({
      name: 'sluice',
      version: '0.5.0',
      packages: {
        '': { name: 'sluice', version: '0.5.0', dependencies: { other: '0.4.0' } },
        'node_modules/other': { version: '0.4.0' },
        'packages/client': { name: '@sluice/client', version: '0.5.0' },
        'packages/localnet': { version: '0.5.0', devDependencies: { '@sluice/protocol': '0.5.0' } },
      },
    });
  });
});

describe('setImageTag', () => {
  it('sets the tag alone', () => {
    const text = 'images:\n  - name: sluice\n    newTag: 0.4.0\nresources: []\n';
    expect(setImageTag(text, '0.5.0')).toBe('images:\n  - name: sluice\n    newTag: 0.5.0\nresources: []\n');
  });

  it('refuses a file without one', () => {
    expect(() => setImageTag('images: []\n', '0.5.0')).toThrow('newTag');
  });
});
