import { readdirSync, readFileSync } from 'node:fs';
import { CODE_FOLDER } from '../../node/package-files.ts';

/** An example query, shown as a tab of GraphiQL. */
export interface Example {
  readonly name: string;
  readonly query: string;
  /** Names of the variables that it declares. */
  readonly variables: readonly string[];
}

const folder = new URL('graphql/examples/', CODE_FOLDER);

/** All example queries, in the order of their file names. */
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

/** Values for the variables of an example. An unknown one becomes a placeholder for the reader to fill in. */
export function exampleVariables(
  example: Example,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(example.variables.map((name) => [name, values[name] ?? placeholder(name)]));
}

const placeholder = (name: string) =>
  name === 'transaction' ? 'base64 of a transaction' : `address of a ${name}`;
