import { parseArgs } from 'node:util';
import { examine } from './examine.ts';
import { toJson, toText } from './report.ts';

/** Checks the deployment that the environment describes: `npm run doctor`, or `npm run doctor -- --json`. */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const report = await examine();
process.stdout.write(values.json ? toJson(report) : toText(report));
process.exitCode = report.faults === 0 ? 0 : 1;
