import { OperationTypeNode } from 'graphql';
import type { Cast } from '../../../bench/abuse/cast.ts';
import { documentOf } from '../../../bench/abuse/documents.ts';
import { type Knobs, SMALLEST } from '../../../bench/abuse/knobs.ts';
import { filled } from '../../../bench/abuse/placeholders.ts';
import { type SchemaField, schemaFields } from '../../../bench/abuse/schema-fields.ts';
import { FOLD_COSTS, READ_COSTS } from '../../../src/graphql/cost/weights.ts';
import { schema } from '../../../src/graphql/schema.ts';

const ALL = schemaFields(schema, Object.values(OperationTypeNode));

/** Whether a field has a cost besides that of its objects. */
function isCostly({ name, isPlain }: SchemaField): boolean {
  const own = READ_COSTS[name];
  if (own !== undefined) return own > 0;
  const [type] = name.split('.');
  return name in FOLD_COSTS || (!isPlain && (READ_COSTS[`${type}.*`] ?? 0) > 0);
}

export const COSTLY_FIELDS: readonly SchemaField[] = ALL.filter(isCostly);

/** All others but plain scalars, which are selected with the objects that have them. */
export const CHEAP_FIELDS: readonly SchemaField[] = ALL.filter(
  (field) => !isCostly(field) && !field.isPlain && field.paths.some(({ operation }) => operation === 'query'),
);

/** What documents name. */
export interface FieldWorld {
  readonly cast: Cast;
  /** A signed transaction in base64. */
  readonly transaction: string;
}

let written = 0;

/** A document that selects a field and is unlike all before it. The attempts name different accounts and arguments. */
export function selecting(
  field: SchemaField,
  { cast, transaction }: FieldWorld,
  attempt: number,
  sizes: Partial<Knobs>,
): string {
  written += 1;
  const knobs = { ...SMALLEST, ...sizes, path: attempt, draw: attempt };
  const text = filled(documentOf({ schema, cast }, field, knobs, attempt), {
    now: Date.now(),
    signed: () => transaction,
  });
  return text.replace(/ Q\d+ /, ` Q${written} `);
}

/** The same document without the field. */
export const without = (text: string): string =>
  text.includes('fragment F on')
    ? text.replace(/^(\w+ Q\d+)(.*fragment F on \w+ ).*$/s, '$1b$2{ __typename }')
    : 'query { __typename }';
