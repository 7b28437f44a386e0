// Preloaded into the gateway, and by Node into its threads and processes: writes the memory of each thread every second.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

const INTERVAL_MS = 1_000;
const file = join(process.env.SOAK_FOLDER, `${process.pid}-${threadId}.json`);

setInterval(() => {
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
}, INTERVAL_MS).unref();
