import { z } from '@hono/zod-openapi';
import type { BulkRequest } from '../../services/history/bulk-page.ts';
import { MAX_BULK_ROWS } from '../../services/history/bulk-page.ts';
import type { Call } from '../operation/operation.ts';
import { bodyRange } from '../values/date.ts';
import { paginationToken } from '../values/pagination.ts';
import { onceSwitch } from '../values/query-values.ts';

/** Inputs and parts of answers that bulk reads of transactions have in common. */

/** Each transaction as the RPC returns it is a call, so a page has fewer of them. */
const MAX_RAW_ROWS = 100;

export const includeRawJson = onceSwitch(
  `Whether \`rawJson\` has each transaction as the RPC returns it. A page then has at most ${MAX_RAW_ROWS} rows. Also yes, on, y, enabled or 1; defaults to false.`,
);

/** The body of a bulk read of these instructions. */
export const bulkBody = (instructions: readonly string[], example: string) =>
  z.object({
    instruction: z
      .enum(instructions as readonly [string, ...string[]], {
        error: `must be one of ${instructions.join(', ')}`,
      })
      .openapi({
        description: `Name of the instruction, such as \`${example}\`. Instructions that move no tokens are not recorded.`,
      }),
    ...bodyRange,
    paginationToken: paginationToken(),
  });

interface BulkInput {
  readonly query: { readonly includeRawJson?: boolean | undefined };
  readonly body: { readonly paginationToken?: string | undefined };
}

export const bulkRequest = ({ query, body }: BulkInput): BulkRequest => ({
  limit: query.includeRawJson ? MAX_RAW_ROWS : MAX_BULK_ROWS,
  after: body.paginationToken,
});

export const rawJsonOut = z.record(z.string(), z.unknown()).optional().openapi({
  description:
    'The transaction as the RPC returns it, in the encoding `json`. Absent without `includeRawJson`, and when the nodes no longer have it.',
});

/** Adds `rawJson` to the rows where it is asked for. */
export async function withRawJson<Row extends object>(
  { platform, session }: Call,
  rows: readonly Row[],
  /** Signature of each row. */
  rowSignatures: readonly string[],
  isAsked: boolean | undefined,
): Promise<(Row & { readonly rawJson?: Readonly<Record<string, unknown>> })[]> {
  if (!isAsked) return [...rows];
  const signatures = [...new Set(rowSignatures)];
  const raw = await platform.rawTransactions(session, signatures);
  const bySignature = new Map(signatures.map((signature, i) => [signature, raw[i] ?? null]));
  return rows.map((row, i) => {
    const rawJson = bySignature.get(rowSignatures[i] ?? '') ?? null;
    return rawJson === null ? row : { ...row, rawJson: plainJson(rawJson) as Record<string, unknown> };
  });
}

/** Integers are read as bigint, which JSON cannot write. */
function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainJson(item)]));
}

/** Rows in order, those of one transaction and subject joined. */
export function joined<E>(events: readonly E[], keyOf: (event: E) => string): E[][] {
  const groups = new Map<string, E[]>();
  for (const event of events) {
    const group = groups.get(keyOf(event));
    if (group === undefined) groups.set(keyOf(event), [event]);
    else group.push(event);
  }
  return [...groups.values()];
}
