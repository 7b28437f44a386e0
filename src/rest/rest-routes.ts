import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { asResponse } from '../http/encoded-answer.ts';
import { staticAnswer } from '../http/static-answer.ts';
import { PUBLISHED_PATHS } from './docs/published-documents.ts';
import { OPENAPI } from './openapi/openapi-file.ts';
import { type ErrorFamily, READ_ERRORS } from './operation/error-shapes.ts';
import { nearestPath } from './operation/nearest-path.ts';
import { otherProduct } from './operation/other-products.ts';
import { spelledAsRequested } from './operation/path-spelling.ts';
import {
  type Env,
  errorResponse,
  pattern,
  type RestOptions,
  serveOperation,
} from './operation/serve-operation.ts';
import { OPERATIONS, SERVED_OPERATIONS } from './operation-table.ts';

export type { RestOptions } from './operation/serve-operation.ts';

/** Read-only paths that are not in the operations table. */
const READ_ONLY_PATHS = ['/openapi.json', ...PUBLISHED_PATHS, '/health', '/ready', '/metrics', '/docs'];

/** Every operation of the table, and the document that describes them. */
export function restRoutes(options: RestOptions): Hono<Env> {
  const routes = new Hono<Env>();
  const document = staticAnswer(readFileSync(OPENAPI), {
    contentType: 'application/json',
    headers: { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' },
  });
  routes.get('/openapi.json', async (c) => asResponse(await document.answer(c.req.raw)));
  const ordered = [...SERVED_OPERATIONS].sort((a, b) => comparePaths(a.path, b.path));
  for (const operation of ordered) {
    routes.on(operation.method.toUpperCase(), pattern(operation.path), (c) =>
      serveOperation(operation, options, c),
    );
  }
  for (const { path, family } of ordered) {
    const methods = ordered.filter((each) => each.path === path).map(({ method }) => method.toUpperCase());
    routes.all(pattern(path), (c) => methodNotAllowed(family, methods, c));
  }
  for (const path of READ_ONLY_PATHS) routes.all(path, (c, next) => refuseWrites(c) ?? next());
  return routes;
}

/** Body of a 404. `spelled` is the requested path in its documented spelling. */
export function unknownPath(requested: string, spelled: string): object {
  const product = otherProduct(spelled);
  if (product !== null) {
    return {
      error: `${shown(requested)} belongs to ${product}, another product of the live service, which this gateway does not serve. It serves lending, earn vaults and farms; /docs lists its operations.`,
    };
  }
  const nearest = nearestPath(
    spelled,
    OPERATIONS.map((each) => each.path),
  );
  const hint = nearest === undefined ? '' : spelledAsRequested(nearest, requested, spelled);
  return { error: `There is nothing at ${shown(requested)}. The nearest documented path is ${hint}.` };
}

const shown = (path: string) => path.slice(0, 200);

/** The router takes the first match, so literal segments sort before parameters. */
function comparePaths(a: string, b: string): number {
  const literalFirst = (path: string) => path.replaceAll('{', '\uffff');
  return literalFirst(a) < literalFirst(b) ? -1 : 1;
}

function refuseWrites(c: Context<Env>): Response | undefined {
  return c.req.method === 'GET' || c.req.method === 'HEAD'
    ? undefined
    : methodNotAllowed(READ_ERRORS, ['GET'], c);
}

function methodNotAllowed(family: ErrorFamily, methods: readonly string[], c: Context<Env>): Response {
  const allow = methods.includes('GET') ? [...methods, 'HEAD'].join(', ') : methods.join(', ');
  if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const message = `${shown(getPath(c.req.raw))} does not allow ${c.req.method}. Use ${methods.join(', ')}.`;
  return errorResponse(family.shape({ status: 405, message }), { allow });
}
