import type { OutflowCap } from './model.ts';

/** Counts what leaves a reserve; what comes in is negative. An enabled cap begins a new interval when the last one is over. */
export function countOutflow(cap: OutflowCap, amount: bigint, time: number): void {
  const seconds = Number(cap.intervalSeconds);
  if (seconds > 0 && time - cap.intervalStart >= seconds) {
    cap.total = 0n;
    cap.intervalStart = time;
  }
  cap.total += amount;
}
