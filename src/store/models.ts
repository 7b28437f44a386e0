import type { PrismaClient } from './generated/client.ts';

/** Tables whose rows are read and written one by one. The others hold series and events, which are SQL. */
type PlainTable =
  | 'alert'
  | 'alertDelivery'
  | 'alertRegistry'
  | 'apiKey'
  | 'importCursor'
  | 'ingestCursor'
  | 'ingestMissing'
  | 'ingestProblem'
  | 'ingestSlots'
  | 'recorderHeartbeat'
  | 'recorderLease'
  | 'snapshot'
  | 'subject'
  | 'tidied';

/** Prisma's models of the plain tables, typed from `prisma/schema.prisma`. */
export type Models = Pick<ReturnType<typeof modelClient>, PlainTable>;

/** Runs one operation on a model. `text` names both, such as `findMany Alert`. */
export type RunOperation = <T>(text: string, operation: () => Promise<T>) => Promise<T>;

interface Operation {
  readonly model: string;
  readonly operation: string;
  readonly args: unknown;
  query(args: unknown): Promise<unknown>;
}

/** The client with all operations on its models run through `run`. */
export function modelClient(client: PrismaClient, run: RunOperation) {
  return client.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }: Operation) =>
          run(`${operation} ${model}`, async () => await query(args)),
      },
    },
  });
}
