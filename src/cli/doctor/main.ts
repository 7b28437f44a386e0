import { defineCommand } from '../define-command.ts';
import { examine } from './examine.ts';
import { toJson, toText } from './report.ts';

const DOCTOR = defineCommand({
  usage: `npm run doctor -- [--json]
`,
  options: { json: { type: 'boolean' } },
  accept: ({ values }) => values,
});

/** Checks the deployment that the environment describes. */
await DOCTOR.run(async ({ json = false }) => {
  const report = await examine();
  process.stdout.write(json ? toJson(report) : toText(report));
  return report.faults === 0;
});
