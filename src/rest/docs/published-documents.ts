import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import { asResponse, type EncodedAnswer } from '../../http/encoded-answer.ts';
import { openApi30 } from '../openapi/openapi-30.ts';
import { OPENAPI } from '../openapi/openapi-file.ts';
import { partOfDocument } from '../openapi/part-of-document.ts';
import { errorAnswer, readShape } from '../operation/error-answers.ts';
import { InvalidInput } from '../operation/invalid-input.ts';
import { type Env, errorResponse } from '../operation/serve-operation.ts';
import { encodedOnce } from './encoded-once.ts';

type Document = Parameters<typeof partOfDocument>[0];

/** Where the live service publishes its documents, and the part of ours that belongs there. */
const PUBLISHED: readonly { readonly path: string; readonly part: (document: Document) => object }[] = [
  { path: '/openapi/json', part: (document) => document },
  { path: '/ktx/documentation/json', part: (document) => partOfDocument(document, '/ktx/') },
];

export const PUBLISHED_PATHS = PUBLISHED.map(({ path }) => path);

const VERSIONS = ['3.1.0', '3.0.0', '3.0.1', '3.0.2', '3.0.3'];
const [COMMITTED = ''] = VERSIONS;
const NO_VERSION = `must be ${VERSIONS.join(', ')}, passed only once`;

/** Serves the documents there, in the version of OpenAPI that `?openapi=` names. */
export function addPublishedDocuments(routes: Hono<Env>): void {
  for (const { path, part } of PUBLISHED) {
    const made = new Map<string, () => Promise<EncodedAnswer>>();
    for (const version of VERSIONS) {
      made.set(
        version,
        encodedOnce('application/json', 'public, max-age=300', async () => {
          const document = { ...part(JSON.parse(await readFile(OPENAPI, 'utf8')) as Document) };
          return Buffer.from(JSON.stringify(version === COMMITTED ? document : openApi30(document, version)));
        }),
      );
    }
    routes.get(path, async (c) => {
      const [version = COMMITTED, ...more] = c.req.queries('openapi') ?? [];
      const document = more.length === 0 ? made.get(version) : undefined;
      if (document !== undefined) return asResponse(await (await document()).answer(c.req.raw));
      const problem = new InvalidInput([{ code: 'custom', path: ['openapi'], message: NO_VERSION }]);
      return errorResponse(errorAnswer(readShape, problem), {});
    });
  }
}
