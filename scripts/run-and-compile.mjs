import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { scripts } from '../dist/main.js';

/** Runs the built gateway, in bare node as it is run later, until it is told to keep what V8 has compiled by then. */
process.on('message', () => {
  // As they are when it is loaded; a start may not be over yet.
  setFlagsFromString('--sparkplug');
  for (const [url, script] of scripts) writeFileSync(new URL(`${url}.cache`), script.createCachedData());
  process.exit(0);
});
