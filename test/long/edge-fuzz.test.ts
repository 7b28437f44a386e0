/**
 * Mutated inputs of every parser at the edges: fifty thousand for each property, or as many as fit into EDGE_FUZZ_MINUTES. A
 * failure prints its seed, and stores its input in the corpus.
 */
process.env.EDGE_FUZZ_RUNS ??= '50000';

await import('../unit/edge-fuzz.test.ts');
await import('../unit/edge-fuzz-feed.test.ts');
await import('../unit/edge-fuzz-frames.test.ts');
await import('../unit/edge-fuzz-transactions.test.ts');
await import('../query/explain-fuzz.test.ts');
