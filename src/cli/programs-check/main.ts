import { print, runCommand } from '../run-command.ts';
import { readArguments } from './arguments.ts';
import { checkPrograms } from './check-programs.ts';

const FAILURE_CODE = 2;

/**
 * Runs all six actions through the programs of a cluster, for maintainers:
 * `npm run programs-check -- --rpc URL --wallet KEYFILE [--send]`. Use a dedicated wallet: with `--send`,
 * repayments and withdrawals take everything. Exit code 0 when every step succeeded, 1 when one failed.
 */
await runCommand(async () => {
  const args = await readArguments(process.argv.slice(2));
  return (await checkPrograms(args, print)) ? 0 : 1;
}, FAILURE_CODE);
