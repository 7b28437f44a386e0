import { readFileSync } from 'node:fs';
import { schema } from '../../../src/graphql/schema.ts';
import type { TestEmbeddedApp } from '../apps/embedded-app.ts';
import type { ValuePool } from '../execution/query-arguments.ts';
import { valuesOf } from '../execution/query-values.ts';
import { type FuzzSite, serveFuzzSite } from './fuzz-site.ts';
import { graphqlRequest } from './graphql-requests.ts';
import { graphProblems, isRefusedByServer, leakedInternals } from './judge-answers.ts';
import { restProblems } from './rest-problems.ts';
import { restRequest } from './rest-requests.ts';
import { type FuzzOutcome, runFuzz } from './run-fuzz.ts';

export interface FuzzSize {
  readonly count: number;
  readonly seed: number;
}

const CONNECTIONS = 12;
/** The gateway's own deadline in these runs. */
export const DEADLINE = { REQUEST_TIMEOUT_MS: '10000' };
const HANG_MS = 90_000;

/** Statuses of the graph as its documentation lists them. */
function graphStatuses(): ReadonlySet<number> {
  const text = readFileSync(new URL('../../../docs/graphql-http.md', import.meta.url), 'utf8');
  return new Set([...text.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => Number(status)));
}

async function withSite(
  { app, addresses, rpc }: TestEmbeddedApp,
  run: (site: FuzzSite, pool: ValuePool, upstreams: readonly string[]) => Promise<FuzzOutcome>,
): Promise<FuzzOutcome> {
  const view = app.chain.views.newest;
  if (view === undefined) throw new Error('there is no View');
  const site = await serveFuzzSite(app, CONNECTIONS);
  try {
    const { host } = new URL(rpc.url);
    return await run(site, valuesOf(view, addresses), [host, '127.0.0.1:5432', 'postgresql:']);
  } finally {
    await site.close();
  }
}

export function fuzzGraphql(world: TestEmbeddedApp, { count, seed }: FuzzSize): Promise<FuzzOutcome> {
  const statuses = graphStatuses();
  return withSite(world, (site, pool, upstreams) =>
    runFuzz({
      name: 'GraphQL',
      seed,
      count,
      connections: CONNECTIONS,
      hangMs: HANG_MS,
      site,
      request: (number) => graphqlRequest({ schema, pool, seed }, number),
      problems: (request, answer) => [
        ...(isRefusedByServer(answer, request) ? [] : graphProblems(answer, request.method, statuses)),
        ...leakedInternals(answer, { upstreams }),
      ],
    }),
  );
}

export function fuzzRest(world: TestEmbeddedApp, { count, seed }: FuzzSize): Promise<FuzzOutcome> {
  return withSite(world, (site, pool, upstreams) =>
    runFuzz({
      name: 'REST',
      seed,
      count,
      connections: CONNECTIONS,
      hangMs: HANG_MS,
      site,
      request: (number) => restRequest({ pool, seed }, number),
      problems: (request, answer) => [
        ...(isRefusedByServer(answer, request) ? [] : restProblems(request, answer)),
        ...leakedInternals(answer, { upstreams }),
      ],
    }),
  );
}
