import { loadConfig } from '../../config/config.ts';
import { isSluiceError } from '../../errors/sluice-error.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runImport } from './run.ts';

const command = readArguments(process.argv.slice(2), new Date());
if (command === null) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const print = (line: string) => process.stdout.write(`${line}\n`);
  try {
    process.exitCode = (await runImport(loadConfig(), command, print, stop.signal)) ? 0 : 1;
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
