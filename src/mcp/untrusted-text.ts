import { type DocumentNode, type GraphQLSchema, getNamedType } from 'graphql';
import { displayText } from '../services/tokens/display-text.ts';
import { DocumentFields, type SelectedField, type Selection } from './schemas/selection.ts';
import { mayBeWrittenByThirdParties } from './trusted-texts.ts';

/** Longest text that is passed on; a line of a log may be longer. */
const MAX_LENGTH = 2_000;

/** Where the untrusted texts of an answer are, by the names of its fields. */
type Marks = Map<string, Marks | 'untrusted'>;

export const isUntrusted = ({ name, type }: SelectedField): boolean =>
  mayBeWrittenByThirdParties(name, getNamedType(type).name);

/**
 * Wraps every text of an answer that third parties may have written, without characters that are invisible or change the
 * direction of writing.
 *
 * @param data the answer to a valid document
 */
export function markUntrusted(
  data: Readonly<Record<string, unknown>>,
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): Record<string, unknown> {
  const fields = new DocumentFields(schema, document, operationName);
  return markedObject(data, marksOf(fields, [fields.root]));
}

function marksOf(fields: DocumentFields, selections: readonly Selection[]): Marks {
  const marks: Marks = new Map();
  const below = new Map<string, Selection[]>();
  for (const field of fields.fieldsOf(selections)) {
    if (isUntrusted(field)) marks.set(field.key, 'untrusted');
    else if (field.selections.length > 0)
      below.set(field.key, [...(below.get(field.key) ?? []), ...field.selections]);
  }
  for (const [key, each] of below) {
    const inner = marksOf(fields, each);
    if (inner.size > 0 && !marks.has(key)) marks.set(key, inner);
  }
  return marks;
}

function markedObject(object: object, marks: Marks): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const mark = marks.get(key);
      return [key, mark === undefined ? value : marked(value, mark)];
    }),
  );
}

function marked(value: unknown, mark: Marks | 'untrusted'): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => marked(each, mark));
  if (mark === 'untrusted') return typeof value === 'string' ? { untrusted: withoutInvisible(value) } : value;
  return typeof value === 'object' && value !== null ? markedObject(value, mark) : value;
}

/** In one line, without control characters, tags and direction marks. */
export const withoutInvisible = (text: string): string => displayText(text, MAX_LENGTH);
