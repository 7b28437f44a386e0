import { expect, it } from 'vitest';
import { type InvariantsReport, InvariantsRun } from './invariants-run.ts';

/** Too few tries say nothing about how many succeed. */
const MIN_TRIES = 10;

/** Sends random transactions; INVARIANTS_SEED in the environment chooses others. */
export function invariantsSuite(transactions: number, otherwise: string): void {
  it(`hold under ${transactions} random transactions`, () => {
    const seed = process.env.INVARIANTS_SEED ?? otherwise;
    const report = new InvariantsRun(seed).run(transactions);
    process.stdout.write(`INVARIANTS_SEED=${seed}: ${summary(report)}\n`);
    expect(report.sent).toBeGreaterThanOrEqual(transactions);
    // Otherwise the laws would have been tested on failures.
    for (const [name, { tried, accepted }] of report.counts) {
      if (tried >= MIN_TRIES && name !== 'hostile') expect(accepted / tried, name).toBeGreaterThan(0.5);
    }
  });
}

function summary({ sent, counts, refusals }: InvariantsReport): string {
  const accepted = [...counts].map(([name, count]) => `${name} ${count.accepted}/${count.tried}`);
  const reasons = [...refusals].map(([reason, count]) => `\n  ${count} × ${reason}`);
  return `${sent} sent, accepted ${accepted.join(', ')}${reasons.join('')}`;
}
