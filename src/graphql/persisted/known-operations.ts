import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GraphQLError, parse, validate } from 'graphql';
import { SluiceError } from '../../errors/sluice-error.ts';
import { schema } from '../schema.ts';

/** The operations of a deployment's file. */
export interface KnownOperations {
  /** The document of an id; undefined when there is none. */
  document(id: string): string | undefined;
  /** Whether a text is one of the documents. */
  holds(text: string): boolean;
  /** Whether nothing else is answered. */
  readonly only: boolean;
}

export interface OperationsSettings {
  readonly PERSISTED_OPERATIONS: string;
  readonly PERSISTED_ONLY: 'on' | 'off';
}

/** Reads and checks the file. @throws SluiceError CONFIG_INVALID: what it holds must be answerable. */
export async function knownOperations(settings: OperationsSettings): Promise<KnownOperations> {
  const path = settings.PERSISTED_OPERATIONS;
  const operations = path === '' ? new Map<string, string>() : await readOperations(path);
  const texts = new Set(operations.values());
  return {
    document: (id) => operations.get(id),
    holds: (text) => texts.has(text),
    only: settings.PERSISTED_ONLY === 'on',
  };
}

async function readOperations(path: string): Promise<ReadonlyMap<string, string>> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) throw wrong('must name a file that can be read');
  // Not loaded where there is no file: a start does not wait for it.
  const { OperationsFile } = await import('./operations-file.ts');
  const read = OperationsFile.safeParse(parsedJson(content));
  if (!read.success) throw wrong('must be a file of JSON with documents by their ids');
  const entries: readonly (readonly [string, string])[] = Array.isArray(read.data.operations)
    ? read.data.operations.map(({ id, body }) => [id, body] as const)
    : Object.entries(read.data as Record<string, string>);
  for (const [id, document] of entries) check(id, document);
  // The id of Apollo's protocol is the hash of the text; a file may have others, and both are found.
  return new Map([...entries.map(([, text]) => [sha256(text), text] as const), ...entries]);
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function parsedJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function check(id: string, document: string): void {
  try {
    const [first] = validate(schema, parse(document));
    if (first !== undefined) throw first;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw wrong(`operation ${id} cannot be answered: ${error.message}`);
  }
}

function wrong(allowed: string): SluiceError {
  return new SluiceError('CONFIG_INVALID', { variable: 'PERSISTED_OPERATIONS', allowed });
}
