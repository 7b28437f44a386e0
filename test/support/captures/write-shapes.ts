import { writeFileSync } from 'node:fs';
import { shapeOf } from './capture-shape.ts';
import { CAPTURES, hasCapture, readCapture, shapeFile } from './captures.ts';

/** Writes the shape of every capture that is present. */
for (const capture of CAPTURES) {
  if (!hasCapture(capture)) {
    process.stderr.write(`${capture.name}: no capture, its shape stays as it is\n`);
    continue;
  }
  writeFileSync(shapeFile(capture), `${JSON.stringify(shapeOf(readCapture(capture)), null, 2)}\n`);
}
