import { writeFileSync } from 'node:fs';
import { scripts } from '../dist/main.js';

/** Runs the built gateway, in bare node as it is run later, until it is told to keep what V8 has compiled by then. */
process.on('message', () => {
  for (const [url, script] of scripts) writeFileSync(new URL(`${url}.cache`), script.createCachedData());
  process.exit(0);
});
