/** URL of GraphiQL, relative to the page, with a query and its variables filled in. */
export function graphiqlUrl(query: string, variables: unknown): string {
  return `graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables ?? {}, null, 2) })}`;
}
