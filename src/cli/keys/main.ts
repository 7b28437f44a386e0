import { loadConfig } from '../../config/config.ts';
import { isSluiceError } from '../../errors/sluice-error.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runKeys } from './run.ts';

const command = readArguments(process.argv.slice(2));
if (command === null) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    const done = await runKeys(loadConfig(), command, (line) => process.stdout.write(`${line}\n`));
    process.exitCode = done ? 0 : 1;
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
