/** The comparison with graphql-js of the usual suite, on five thousand generated queries. A failure shows its query. */
process.env.GENERATED_QUERIES ??= '5000';

await import('../query/execution-generated.test.ts');
