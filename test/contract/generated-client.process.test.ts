import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { compilerErrors } from '../support/contract/client-compiler.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sluice-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Errors of a strict compiler in each file, with types of the committed document beside it. */
async function compile(files: readonly string[]): Promise<Record<string, string[]>> {
  const document = readFileSync(join(root, 'openapi.json'), 'utf8');
  writeFileSync(join(folder, 'sluice-rest.d.ts'), astToString(await openapiTS(document)));
  return compilerErrors(folder, files);
}

/** Mistakes that the types must catch: a path, a parameter, a field and a word that are not documented. */
const MISTAKES: Readonly<Record<string, string>> = {
  'wrong-path.ts': `client.GET('/kvaults/vault');`,
  'wrong-parameter.ts': `client.GET('/kvaults/vaults/{pubkey}', { params: { path: { address: 'x' } } });`,
  'wrong-body.ts': `client.POST('/ktx/kvault/deposit', { body: { wallet: 'x', kvault: 'y' } });`,
  'wrong-word.ts': `client.GET('/kvaults/summary', { params: { query: { type: 'other' } } });`,
  'wrong-field.ts': `const { data } = await client.GET('/kvaults/vaults'); data?.[0]?.state.nothing;`,
};

describe('a client generated from openapi.json', () => {
  it('compiles in strict mode, and fails to compile when it is wrong', async () => {
    cpSync(join(root, 'docs/rest-client'), folder, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const [file, statement] of Object.entries(MISTAKES)) {
      writeFileSync(
        join(folder, file),
        `import { sluice } from './client.ts';\nconst client = sluice('');\n${statement}\n`,
      );
    }
    const right = ['client.ts', 'portfolio.ts'];
    const {
      'client.ts': client,
      'portfolio.ts': portfolio,
      ...wrong
    } = await compile([...right, ...Object.keys(MISTAKES)]);
    expect({ client, portfolio }).toEqual({ client: [], portfolio: [] });
    for (const [file, said] of Object.entries(wrong)) expect([file, said.length > 0]).toEqual([file, true]);
  });
});
