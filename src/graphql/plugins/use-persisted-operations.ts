import type { GraphQLParams, Plugin, YogaInitialContext } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { type KnownOperations, sha256 } from '../persisted/known-operations.ts';
import { createLearnedOperations } from '../persisted/learned-operations.ts';

const HASH = /^[0-9a-f]{64}$/;
const MAX_ID_SHOWN = 100;

/**
 * Lets a request name its document instead of sending it: by `documentId`, or as Apollo's clients do by
 * `extensions.persistedQuery`, which also teaches a document that the gateway does not know. Taught is only what passed
 * every check: the plugin goes behind those that refuse.
 */
export function usePersistedOperations(known: KnownOperations): Plugin<GraphQLContext, ServerContext> {
  const learned = createLearnedOperations();
  const learn = (context: unknown) => {
    const { params } = context as YogaInitialContext;
    const hash = hashOf(params);
    if (!known.only && hash !== undefined && typeof params.query === 'string')
      learned.set(hash, params.query);
  };
  return {
    onParams({ request, params, setParams }) {
      const id = idOf(params) ?? new URL(request.url).searchParams.get('documentId') ?? undefined;
      const hash = hashOf(params);
      const { query } = params;
      if (typeof query === 'string' && query !== '') {
        if (known.only && !known.holds(query)) throw new SluiceError('PERSISTED_OPERATIONS_ONLY', {});
        if (hash !== undefined && sha256(query) !== hash) {
          throw new SluiceError('PERSISTED_QUERY_MISMATCH', {
            reason: 'sha256Hash is not that of the query',
          });
        }
        return;
      }
      if (id !== undefined) {
        const document = known.document(id);
        if (document === undefined) {
          throw new SluiceError('PERSISTED_OPERATION_UNKNOWN', { id: id.slice(0, MAX_ID_SHOWN) });
        }
        setParams({ ...params, query: document });
      } else if (hash !== undefined) {
        const document = known.document(hash) ?? (known.only ? undefined : learned.get(hash));
        if (document === undefined) throw new SluiceError('PERSISTED_QUERY_NOT_FOUND', {});
        setParams({ ...params, query: document });
      }
    },
    onExecute: ({ args }) => learn(args.contextValue),
    onSubscribe: ({ args }) => learn(args.contextValue),
  };
}

function idOf(params: GraphQLParams): string | undefined {
  const { documentId } = params as { documentId?: unknown };
  return typeof documentId === 'string' && documentId !== '' ? documentId : undefined;
}

/** @throws SluiceError when there is one that cannot be used */
function hashOf({ extensions }: GraphQLParams): string | undefined {
  const persisted: unknown = extensions?.persistedQuery;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown };
  if (version !== 1) throw new SluiceError('PERSISTED_QUERY_MISMATCH', { reason: 'its version is not 1' });
  if (typeof sha256Hash !== 'string' || !HASH.test(sha256Hash)) {
    const reason = 'sha256Hash is not a SHA-256 in small hexadecimal digits';
    throw new SluiceError('PERSISTED_QUERY_MISMATCH', { reason });
  }
  return sha256Hash;
}
