import { readdirSync, readFileSync } from 'node:fs';
import { CODE_FOLDER } from '../node/package-files.ts';

const folder = new URL('mcp/documents/', CODE_FOLDER);
const texts = new Map<string, string>();

/** A document that a tool executes, by the name of its file. */
export function documentText(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`${name}.graphql`, folder), 'utf8');
  texts.set(name, text);
  return text;
}

/** The names of all documents that tools execute. */
export function documentNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => file.slice(0, -'.graphql'.length))
    .sort();
}
