import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { scripts } from '../dist/main.js';

/** Node's own HTTP client, which it compiles whole when one of its classes is first touched: `src/start/web-classes.ts`. */
const CLIENT = 'NativeModule internal/deps/undici/undici';

/** Runs the built gateway, in bare node as it is run later, until it is told to keep what V8 has compiled by then. */
process.on('message', () => {
  if (process.moduleLoadList.includes(CLIENT))
    throw new Error("a start has loaded node's own HTTP client, which costs it some 30 ms");
  // As they are when it is loaded; a start may not be over yet.
  setFlagsFromString('--sparkplug');
  for (const [url, script] of scripts) writeFileSync(new URL(`${url}.cache`), script.createCachedData());
  process.exit(0);
});
