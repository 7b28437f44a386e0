import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unsupportedNode } from '../../src/node/supported-version.ts';

describe('unsupportedNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '26.0.0'])('accepts Node %s', (version) => {
    expect(unsupportedNode(version)).toBeNull();
  });

  it.each(['20.18.3', '18.20.0', '8.0.0'])('refuses Node %s in one line', (version) => {
    expect(unsupportedNode(version)).toBe(`Sluice needs Node 20.19 or newer; this is Node ${version}.`);
  });

  it('agrees with engines in package.json', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(manifest.engines.node).toBe('>=20.19');
  });
});
