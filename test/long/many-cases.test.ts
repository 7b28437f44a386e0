/** Suites of random cases that are short in `npm test`. */
process.env.MANY_CASES = '1';

await import('../../packages/protocol/test/bad-accounts.test.ts');
await import('../unit/bench-abuse-requests.test.ts');
await import('../unit/quick-validation.test.ts');
await import('../../packages/localnet/test/runtime/token-fuzz.test.ts');
await import('../../packages/localnet/test/runtime/transactions-fuzz.test.ts');
await import('../../packages/localnet/test/world/time.test.ts');
await import('../localnet/borrow-orders-random.test.ts');
await import('../query/acted-withdraw-queue-builds.test.ts');
await import('../localnet/repay-withdraw-random.test.ts');
await import('../localnet/collateral-target-random.test.ts');
await import('../localnet/klend-ownership-built.test.ts');
await import('../localnet/klend-rollover-settings.test.ts');
await import('../localnet/klend-roll-over-random.test.ts');
await import('../localnet/ended-debts-random.test.ts');
await import('../localnet/klend-referral-fees-built.test.ts');
await import('../query/quoted-swaps.test.ts');
await import('../localnet/quoted-collateral-random.test.ts');
await import('../localnet/kvault-curators-built.test.ts');
await import('../localnet/position-swaps-random.test.ts');
await import('../localnet/klend-obligation-orders.test.ts');
