import { loadConfig } from '../../config/config.ts';
import { isSluiceError } from '../../errors/sluice-error.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runRecorder } from './run.ts';

const command = readArguments(process.argv.slice(2), new Date());
if (command === null) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    await runRecorder(loadConfig(), command, (line) => process.stdout.write(`${line}\n`), stop.signal);
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
