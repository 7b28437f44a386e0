import { parseArgs } from 'node:util';
import { printUsage, runCommand } from '../run-command.ts';
import { examine } from './examine.ts';
import { toJson, toText } from './report.ts';

const USAGE = `npm run doctor -- [--json]
`;

/** Checks the deployment that the environment describes. */
await runCommand(async () => {
  const values = readArguments();
  if (values === null) return printUsage(USAGE);
  const report = await examine();
  process.stdout.write(values.json ? toJson(report) : toText(report));
  return report.faults === 0 ? 0 : 1;
});

function readArguments() {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values;
  } catch {
    return null;
  }
}
