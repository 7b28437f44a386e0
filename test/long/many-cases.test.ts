/** Suites of random cases that are short in `npm test`. */
process.env.MANY_CASES = '1';

await import('../unit/bad-accounts.test.ts');
await import('../unit/bench-abuse.test.ts');
await import('../unit/quick-validation.test.ts');
await import('../unit/runtime-token-fuzz.test.ts');
await import('../unit/runtime-transactions-fuzz.test.ts');
await import('../demo/world-time.test.ts');
