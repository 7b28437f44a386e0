import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GraphQLError, parse, validate } from 'graphql';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { schema } from '../schema.ts';

/** The operations of the file that PERSISTED_OPERATIONS names. */
export interface KnownOperations {
  /** Undefined for an unknown id. */
  document(id: string): string | undefined;
  /** Whether a text is one of the documents. */
  has(text: string): boolean;
  /** Whether all other documents are rejected. */
  readonly only: boolean;
}

export interface OperationsSettings {
  readonly PERSISTED_OPERATIONS: string;
  readonly PERSISTED_ONLY: 'on' | 'off';
}

/**
 * Reads and validates the file.
 *
 * @param ours documents of the gateway itself, which are never rejected
 * @throws SluiceError CONFIG_INVALID for a file or document that is not valid
 */
export async function knownOperations(
  settings: OperationsSettings,
  ours: readonly string[] = [],
): Promise<KnownOperations> {
  const path = settings.PERSISTED_OPERATIONS;
  const operations = path === '' ? new Map<string, string>() : await readOperations(path);
  const texts = new Set([...operations.values(), ...ours]);
  return {
    document: (id) => operations.get(id),
    has: (text) => texts.has(text),
    only: settings.PERSISTED_ONLY === 'on',
  };
}

async function readOperations(path: string): Promise<ReadonlyMap<string, string>> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) throw invalid('must name a readable file');
  // Loads zod only when it is needed.
  const { OperationsFile } = await import('./operations-file.ts');
  const read = OperationsFile.safeParse(parseJson(content));
  if (!read.success) throw invalid('must be a JSON file with documents by id');
  const entries: readonly (readonly [string, string])[] = Array.isArray(read.data.operations)
    ? read.data.operations.map(({ id, body }) => [id, body] as const)
    : Object.entries(read.data as Record<string, string>);
  for (const [id, document] of entries) validateOperation(id, document);
  // Apollo's protocol looks documents up by hash, also where the file has other ids.
  return new Map([...entries.map(([, text]) => [sha256(text), text] as const), ...entries]);
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function validateOperation(id: string, document: string): void {
  try {
    const [first] = validate(schema, parse(document));
    if (first !== undefined) throw first;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw invalid(`operation ${id} is invalid: ${error.message}`);
  }
}

function invalid(allowed: string): CodedError {
  return new SluiceError('CONFIG_INVALID', { variable: 'PERSISTED_OPERATIONS', allowed });
}
