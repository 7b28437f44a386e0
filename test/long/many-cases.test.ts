/** Suites of random cases that are short in `npm test`. */
process.env.MANY_CASES = '1';

await import('../../packages/protocol/test/bad-accounts.test.ts');
await import('../unit/bench-abuse.test.ts');
await import('../unit/quick-validation.test.ts');
await import('../../packages/localnet/test/runtime/token-fuzz.test.ts');
await import('../../packages/localnet/test/runtime/transactions-fuzz.test.ts');
await import('../../packages/localnet/test/world/time.test.ts');
