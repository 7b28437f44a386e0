/** Nanoseconds per call: the best of several rounds, each long enough to be above the clock's noise. */
export function nanosecondsPerCall(work: () => unknown, { rounds = 7, roundMs = 150 } = {}): number {
  let best = Number.POSITIVE_INFINITY;
  let calls = 1;
  for (let round = 0; round < rounds; ) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i += 1) work();
    const elapsed = Number(process.hrtime.bigint() - start);
    if (elapsed < roundMs * 1e6) {
      calls = Math.ceil(calls * Math.max(1.5, (roundMs * 1.2e6) / elapsed));
      continue;
    }
    best = Math.min(best, elapsed / calls);
    round += 1;
  }
  return best;
}

/** Prints a table. The first row is the heading; all columns but the first are right-aligned. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    process.stdout.write(`${cells.join('  ')}\n`);
  }
}
