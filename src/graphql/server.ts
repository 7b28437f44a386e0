import type { DocumentNode } from 'graphql';
import { createYoga, type GraphiQLOptions, type YogaServerInstance } from 'graphql-yoga';
import type { AlertRegistry } from '../alerts/registry.ts';
import type { Live } from '../live/live.ts';
import type { Platform } from '../services/platform/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { GraphQLContext, ServerContext } from './context.ts';
import type { QueryLimits } from './cost/limits.ts';
import { DocumentCache } from './document-cache.ts';
import { exampleVariables, readExamples } from './examples/examples.ts';
import { GraphiQLPage } from './graphiql/graphiql-page.ts';
import { maskError } from './mask-error.ts';
import type { KnownOperations } from './persisted/known-operations.ts';
import { useAnswerNote } from './plugins/use-answer-note.ts';
import { useBodyLimit } from './plugins/use-body-limit.ts';
import { useChainSession } from './plugins/use-chain-session.ts';
import { useErrorReport } from './plugins/use-error-report.ts';
import { type ExecutorName, useExecutor } from './plugins/use-executor.ts';
import { useLive } from './plugins/use-live.ts';
import { useNoIntrospection } from './plugins/use-no-introspection.ts';
import { usePersistedOperations } from './plugins/use-persisted-operations.ts';
import { useQueryLimits } from './plugins/use-query-limits.ts';
import { useQuickValidation } from './plugins/use-quick-validation.ts';
import { useRateLimit } from './plugins/use-rate-limit.ts';
import { useRequestForm } from './plugins/use-request-form.ts';
import { useRequestTrace } from './plugins/use-request-trace.ts';
import { useTokenLimit } from './plugins/use-token-limit.ts';
import { useWorkBudget } from './plugins/use-work-budget.ts';
import { schema } from './schema.ts';

export interface GraphQLServerOptions {
  readonly platform: Platform;
  readonly live: Live;
  readonly alerts: AlertRegistry;
  readonly logger: Logger;
  readonly limits: QueryLimits;
  readonly maxBodyBytes: number;
  readonly introspection: boolean;
  readonly executor: ExecutorName;
  readonly persisted: KnownOperations;
  readonly requestTimeoutMs: number;
  /** Whether the data is that of a localnet. */
  readonly localnet: boolean;
  /** Null: the host that the request was sent to. */
  readonly publicUrl: string | null;
  /** Known values of the variables that the examples use: addresses, and a transaction. */
  readonly exampleValues: () => Readonly<Record<string, string>>;
}

export const GRAPHQL_PATH = '/graphql';

/** GraphiQL opens with a tab for each example query, its variables filled in for this deployment. */
function graphiqlOptions(values: Readonly<Record<string, string>>): GraphiQLOptions {
  const defaultTabs = readExamples().map((example) => ({
    query: example.query,
    variables: JSON.stringify(exampleVariables(example, values), null, 2),
  }));
  // Headers may hold an API key, which should not stay in the browser.
  return { title: 'Sluice', defaultTabs, defaultEditorToolsVisibility: true, shouldPersistHeaders: false };
}

/** The GraphQL server, with GraphiQL for browsers. */
export function createGraphQLServer(
  options: GraphQLServerOptions,
): YogaServerInstance<ServerContext, GraphQLContext> {
  const page = new GraphiQLPage(() => graphiqlOptions(options.exampleValues()));
  return createYoga<ServerContext, GraphQLContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    graphiql: false,
    // Done for both APIs by the HTTP pipeline.
    cors: false,
    landingPage: false,
    logging: false,
    multipart: false,
    extraParamNames: ['documentId'],
    // `useBodyLimit` does this with an error code.
    maxRequestBodySize: false,
    parserAndValidationCache: {
      documentCache: new DocumentCache<DocumentNode>(),
      // Invalid documents are rare, and callers could fill this cache at will.
      errorCache: { get: () => undefined, set: () => undefined },
    },
    maskedErrors: { maskError },
    plugins: [
      {
        async onRequest({ request, endResponse }) {
          if (GraphiQLPage.isWanted(request)) endResponse(await page.respond(request));
        },
      },
      useRequestTrace(),
      ...(options.introspection ? [] : [useNoIntrospection()]),
      useErrorReport(options.logger),
      useBodyLimit(options.maxBodyBytes),
      useRequestForm(),
      useTokenLimit(options.limits.tokens),
      useQuickValidation(),
      useQueryLimits(options.limits),
      useRateLimit(),
      usePersistedOperations(options.persisted),
      useLive({ ...options, mostWork: options.limits.nodes }),
      useExecutor(options.executor),
      useWorkBudget(),
      useChainSession(options),
      useAnswerNote(),
    ],
  });
}
