import { readdirSync, readFileSync } from 'node:fs';
import { CODE_FOLDER } from '../node/package-files.ts';

const folder = new URL('mcp/documents/', CODE_FOLDER);
const texts = new Map<string, string>();

/** A document that a tool executes, by the name of its file, with the fragments of other files that it spreads. */
export function documentText(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = withFragments(read(name));
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

const read = (name: string) => readFileSync(new URL(`${name}.graphql`, folder), 'utf8');

/** Appends each fragment once, before those that it spreads itself. */
function withFragments(document: string): string {
  const parts: string[] = [document];
  const present = new Set([...document.matchAll(/^fragment (\w+)/gm)].map(([, name]) => name));
  const append = (text: string) => {
    for (const [, name = ''] of text.matchAll(/\.\.\.(\w+)/g)) {
      if (present.has(name)) continue;
      present.add(name);
      const fragment = read(`fragments/${fileOf(name)}`);
      parts.push(fragment);
      append(fragment);
    }
  };
  append(document);
  return parts.join('\n');
}

/** `PreviewFields` is in `preview-fields.graphql`. */
const fileOf = (fragment: string) => fragment.replace(/\B[A-Z]/g, '-$&').toLowerCase();
