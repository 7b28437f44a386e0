import { readFile } from 'node:fs/promises';
import { getOperationAST, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { mountOf } from '../../src/app/mounts.ts';
import { KEYS } from '../../src/cli/keys/arguments.ts';
import { loadConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { measureQuery } from '../../src/graphql/cost/measure.ts';
import { queryUnits } from '../../src/graphql/plugins/use-rate-limit.ts';
import { schema } from '../../src/graphql/schema.ts';
import { pageLimitFor } from '../../src/limits/page-limit.ts';

const root = new URL('../../', import.meta.url);
const docs = await readFile(new URL('docs/access.md', root), 'utf8');
const readme = await readFile(new URL('README.md', root), 'utf8');

describe('docs/access.md', () => {
  it('states the default limit and the cost of the README query', () => {
    const document = parse(/```graphql\n(query Wallet[\s\S]*?)```/.exec(readme)?.[1] ?? '');
    const operation = getOperationAST(document);
    if (operation === null || operation === undefined) throw new Error('The README contains no query');
    const { cost } = measureQuery({ schema, document, operation, variables: {} });
    const [, one, ten] = /costs (\d+): ten of them and 600 plain requests are (\d+)/.exec(docs) ?? [];
    expect(Number(one)).toBe(1 + queryUnits(cost));
    expect(Number(ten)).toBe(600 + 10 * Number(one));
    expect(docs).toContain(`\`RATE_LIMIT\` (${loadConfig({}).RATE_LIMIT})`);
    expect(loadConfig({}).RATE_LIMIT).toBeGreaterThan(Number(ten));
  });

  it('names only commands and settings that exist', () => {
    const commands = [...docs.matchAll(/npm run keys -- (.+)/g)].map(([, text = '']) =>
      [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
    );
    expect(commands.map((args) => KEYS.read(args)?.kind)).toEqual(['create', 'list', 'revoke']);
    const named = [...docs.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name = '']) => name);
    const settings = named.filter((name) => !Object.hasOwn(ERROR_CODES, name));
    for (const name of settings) expect(Object.keys(SETTINGS)).toContain(name);
  });

  it('lists the paths that cost nothing', () => {
    const pathsOf = (row: RegExp) =>
      [...(row.exec(docs)?.[1] ?? '').matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path);
    const probes = pathsOf(/^\| (`\/health`.*) \| 0, never refused \|$/m);
    const pages = pathsOf(/^\| (`\/`.*) \| 0; see \[pages\]\(#pages\) \|$/m);
    expect(probes).toEqual(['/health', '/ready']);
    expect(pages).toHaveLength(8);
    expect(probes.filter((path) => mountOf(path).access !== 'free')).toEqual([]);
    expect(pages.filter((path) => mountOf(path).access !== 'page')).toEqual([]);
    const charged = ['/graphql', '/kvaults/vaults', '/healthy', '/docsx', '/ktx/klend/deposit'];
    expect(charged.filter((path) => mountOf(path).access !== 'paid')).toEqual([]);
  });

  it('states the limit for pages', () => {
    expect(docs).toContain(`at least ${pageLimitFor(1)} a minute`);
    expect([pageLimitFor(0), pageLimitFor(5_000)]).toEqual([0, 5_000]);
  });
});
