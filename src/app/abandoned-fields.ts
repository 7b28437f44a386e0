/**
 * Keeps the process alive when graphql-js 16 leaves a rejected promise unhandled: in a list without nulls, it abandons the
 * promises of earlier items once a later item fails synchronously. The response already has an error for the list. Any other
 * unhandled rejection ends the process, as it does by default.
 *
 * graphql-js executes the events of subscriptions, and everything with `GRAPHQL_EXECUTOR=graphql-js`. Version 17 has a fix:
 * https://github.com/graphql/graphql-js/pull/4643
 */
export function ignoreAbandonedFields(): void {
  process.on('unhandledRejection', (reason) => {
    if (!(reason instanceof Error && reason.name === 'GraphQLError')) throw reason;
  });
}
