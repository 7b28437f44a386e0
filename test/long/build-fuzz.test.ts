/** The builders' properties of the usual suite, on ten thousand random worlds each. A failure names its seed. */
process.env.BUILDER_FUZZ_RUNS ??= '10000';

await import('../unit/builders-properties.test.ts');
