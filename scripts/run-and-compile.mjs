import { writeFileSync } from 'node:fs';
import { form, script } from '../dist/main.js';

/** Runs the built gateway, in bare node as it is run later, until it is told to keep what V8 has compiled by then. */
process.on('message', () => {
  writeFileSync(form, script.createCachedData());
  process.exit(0);
});
