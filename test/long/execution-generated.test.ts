/** Compares five thousand generated queries with graphql-js. A failure prints its query. */
process.env.GENERATED_QUERIES ??= '5000';

await import('../query/execution-generated.test.ts');
