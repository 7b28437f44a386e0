import type { GraphQLParams, Plugin, YogaInitialContext } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { type KnownOperations, sha256 } from '../persisted/known-operations.ts';
import { createRegisteredOperations } from '../persisted/registered-operations.ts';

const HASH = /^[0-9a-f]{64}$/;
const MAX_ID_SHOWN = 100;

/**
 * Lets a request name its document instead of sending it: by `documentId`, or by `extensions.persistedQuery` as Apollo's
 * clients do, which also registers documents that the gateway does not know yet. The plugin is placed after those that
 * reject requests, so that only accepted documents are registered.
 */
export function usePersistedOperations(known: KnownOperations): Plugin<GraphQLContext, ServerContext> {
  const registered = createRegisteredOperations();
  const register = (context: unknown) => {
    const { params } = context as YogaInitialContext;
    const hash = hashOf(params);
    if (!known.only && hash !== undefined && typeof params.query === 'string')
      registered.set(hash, params.query);
  };
  return {
    onParams({ request, params, setParams }) {
      const id = idOf(params) ?? new URL(request.url).searchParams.get('documentId') ?? undefined;
      const hash = hashOf(params);
      const { query } = params;
      if (typeof query === 'string' && query !== '') {
        if (known.only && !known.has(query)) throw new SluiceError('PERSISTED_OPERATIONS_ONLY', {});
        if (hash !== undefined && sha256(query) !== hash) {
          throw new SluiceError('PERSISTED_QUERY_MISMATCH', {
            reason: 'sha256Hash does not match the query',
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
        const document = known.document(hash) ?? (known.only ? undefined : registered.get(hash));
        if (document === undefined) throw new SluiceError('PERSISTED_QUERY_NOT_FOUND', {});
        setParams({ ...params, query: document });
      }
    },
    onExecute: ({ args }) => register(args.contextValue),
    onSubscribe: ({ args }) => register(args.contextValue),
  };
}

function idOf(params: GraphQLParams): string | undefined {
  const { documentId } = params as { documentId?: unknown };
  return typeof documentId === 'string' && documentId !== '' ? documentId : undefined;
}

/** Undefined without one. @throws SluiceError when it is malformed. */
function hashOf({ extensions }: GraphQLParams): string | undefined {
  const persisted: unknown = extensions?.persistedQuery;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown };
  if (version !== 1) throw new SluiceError('PERSISTED_QUERY_MISMATCH', { reason: 'version must be 1' });
  if (typeof sha256Hash !== 'string' || !HASH.test(sha256Hash)) {
    const reason = 'sha256Hash must have 64 lowercase hexadecimal digits';
    throw new SluiceError('PERSISTED_QUERY_MISMATCH', { reason });
  }
  return sha256Hash;
}
