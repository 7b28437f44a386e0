/** Mutated inputs of every parser at the edges, fifty thousand each. A failure prints its seed. */
process.env.EDGE_FUZZ_RUNS ??= '50000';

await import('../unit/edge-fuzz.test.ts');
