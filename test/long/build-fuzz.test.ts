/** The properties of the builders on ten thousand random worlds each. A failure prints its seed. */
process.env.BUILDER_FUZZ_RUNS ??= '10000';

await import('../unit/builders-properties.test.ts');
