import { graphqlError } from '../graphql/handler.ts';
import { GRAPHQL_PATH } from '../graphql/server.ts';
import type { ErrorFormat } from '../http/refusals.ts';
import { MCP_PATH, mcpError } from '../mcp/mcp-error.ts';
import { builderShape, type ErrorShape, errorAnswer, readShape } from '../rest/operation/error-answers.ts';

/** The part of the gateway that answers. A path without a mount is answered by REST, like all that the others do not know. */
export type Part = 'graphql' | 'graphiql' | 'mcp' | 'explorer' | 'rest';

/**
 * Cost of a request. `free`: polled by orchestrators, and never refused, because a refusal would cost as much as the
 * answer. `page`: needs no key, and has a limit apart from that of the APIs. `paid`: taken from the caller's budget.
 */
export type Access = 'free' | 'page' | 'paid';

export interface Mount {
  readonly part: Part;
  readonly access: Access;
  /** Format of an error that occurs before the part has seen the request. */
  readonly refusal: ErrorFormat;
}

const inShape =
  (shape: ErrorShape): ErrorFormat =>
  (error) =>
    errorAnswer(shape, error);
const read = inShape(readShape);
const builder = inShape(builderShape);

const page: Mount = { part: 'rest', access: 'page', refusal: read };
const probe: Mount = { part: 'rest', access: 'free', refusal: read };
const build: Mount = { part: 'rest', access: 'paid', refusal: builder };
const ELSEWHERE: Mount = { part: 'rest', access: 'paid', refusal: read };

/** By path; one that ends with a slash covers what is below it and has one segment. */
const MOUNTS: ReadonlyMap<string, Mount> = new Map([
  ['/', { part: 'explorer', access: 'page', refusal: read }],
  ['/explorer/', { part: 'explorer', access: 'page', refusal: read }],
  [GRAPHQL_PATH, { part: 'graphql', access: 'paid', refusal: graphqlError }],
  [`${GRAPHQL_PATH}/`, { part: 'graphiql', access: 'page', refusal: graphqlError }],
  [MCP_PATH, { part: 'mcp', access: 'paid', refusal: mcpError }],
  ['/health', probe],
  ['/ready', probe],
  ['/metrics', page],
  ['/docs', page],
  ['/docs/', page],
  ['/openapi.json', page],
  ['/openapi/json', page],
  ['/ktx/documentation/json', page],
  ['/llms.txt', page],
  ['/localnet.json', page],
  // Its former path, for one release.
  ['/demo.json', page],
  ['/ktx/', build],
  ['/transactions', build],
  ['/transactions/', build],
]);

/** The mount of a path, with or without a query string. */
export function mountOf(target: string): Mount {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  const exact = MOUNTS.get(path);
  if (exact !== undefined) return exact;
  const end = path.indexOf('/', 1);
  return (end === -1 ? undefined : MOUNTS.get(path.slice(0, end + 1))) ?? ELSEWHERE;
}
