import { isSluiceError } from '../../errors/sluice-error.ts';
import { readArguments } from './arguments.ts';
import { checkPrograms } from './check-programs.ts';

/**
 * Walks all six actions through the programs of a cluster, for maintainers:
 * `npm run programs-check -- --rpc URL --wallet KEYFILE [--send]`. Give it a wallet of its own: with `--send`, repayments
 * and withdrawals take everything. Exit code 0 when every step went well.
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
try {
  process.exitCode = (await checkPrograms(await readArguments(process.argv.slice(2)), say)) ? 0 : 1;
} catch (error) {
  if (!isSluiceError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
