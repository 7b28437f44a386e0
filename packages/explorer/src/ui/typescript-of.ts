/** A program that prints the answer to a query, with `@sluice/client`. */
export function typescriptOf(query: string, variables: unknown): string {
  return `import { createClient, graphql } from '@sluice/client';

const document = graphql(\`
${query.replace(/^/gm, '  ')}
\`);

const client = createClient({ url: '${new URL('.', location.href).href}' });
const { data, chain } = await client.query(document, ${JSON.stringify(variables, null, 2)});
console.log(chain?.slot, data);
`;
}
