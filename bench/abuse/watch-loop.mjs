// Preloaded into the gateway: notes for how long its event loop runs without a pause. On SIGUSR2 it writes the longest time
// since the last signal to LOOP_FILE. Garbage collection is left out, and the time in which others had the processor.
import { renameSync, writeFileSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 5;
/** Shorter ones need no correction. */
const NOTED_MS = 20;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function watch() {
  let stretches = [];
  let collections = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) collections.push({ startTime, duration });
  }).observe({ entryTypes: ['gc'] });

  let last = { at: performance.now(), cpu: cpuMs() };
  setInterval(() => {
    const now = { at: performance.now(), cpu: cpuMs() };
    // Other threads use the processor too, so this is at most too long.
    const busyMs = Math.min(now.at - last.at - TICK_MS, now.cpu - last.cpu);
    if (busyMs > NOTED_MS) stretches.push({ from: last.at, to: now.at, busyMs });
    last = now;
  }, TICK_MS).unref();

  const collectedMs = ({ from, to }) =>
    collections
      .filter(({ startTime }) => startTime >= from && startTime <= to)
      .reduce((sum, { duration }) => sum + duration, 0);

  process.on('SIGUSR2', () => {
    // Collections are reported by a later turn of the loop.
    setTimeout(() => {
      const longestMs = Math.max(0, ...stretches.map((each) => each.busyMs - collectedMs(each)));
      [stretches, collections] = [[], []];
      const file = process.env.LOOP_FILE;
      writeFileSync(`${file}.new`, String(longestMs));
      renameSync(`${file}.new`, file);
    }, TICK_MS);
  });
}

if (isMainThread) watch();
