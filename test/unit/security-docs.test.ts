import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectFile, readProjectFile } from '../support/deployment/project-files.ts';

const PAGE = readProjectFile('docs/security.md');
const PARTIES = [
  'Anonymous caller',
  'Key owner',
  'Operator',
  'RPC endpoint',
  'Redis',
  'PostgreSQL',
  'Quote source',
  'Receiver of alerts',
  'Assistant',
  'Dependencies',
];

/** The sections by title. */
const sections = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
);

it.each(PARTIES)('the threat model covers: %s', (party) => {
  const section = sections.get(party) ?? '';
  for (const row of [
    'May',
    'Is believed',
    'If (?:it (?:lies|errs|fails|is misled)|one changes)',
    'Remains',
    'Tests',
  ])
    expect(section).toMatch(new RegExp(`^\\| ${row} \\| \\S`, 'm'));
});

it('the threat model has no other sections', () => expect([...sections.keys()]).toEqual(PARTIES));

it('the threat model names tests that exist', () => {
  const named = [...PAGE.matchAll(/`((?:packages\/[\w-]+\/)?test\/[^`]+)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((file) => !existsSync(projectFile(file)))).toEqual([]);
});
