import { readdirSync, readFileSync } from 'node:fs';
import { CODE_FOLDER } from '../../node/package-files.ts';

/** A prepared question for people who explore. */
export interface Example {
  readonly name: string;
  readonly query: string;
  /** The variables that it declares. */
  readonly variables: readonly string[];
}

const folder = new URL('graphql/examples/', CODE_FOLDER);

/** All prepared questions, in the order of their file names. */
export function readExamples(): Example[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => {
      const query = readFileSync(new URL(file, folder), 'utf8');
      const variables = [...query.matchAll(/\$(\w+)\s*:/g)].map((match) => match[1] ?? '');
      return { name: file.replace(/^\d+-|\.graphql$/g, ''), query, variables };
    });
}

/** What an example's variables are here; an address that is not known is left for the reader to fill in. */
export function exampleVariables(
  example: Example,
  addresses: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    example.variables.map((name) => [name, addresses[name] ?? `address of a ${name}`]),
  );
}
