import { isCodedError } from '../errors/sluice-error.ts';
import { ignoreClosedPipes } from '../node/output-errors.ts';

/**
 * Runs a command and sets the exit code that it resolves to. Prints a coded error without a stack trace, and
 * drops output after the reader has closed the pipe.
 */
export async function runCommand(command: () => Promise<number>, failureCode = 1): Promise<void> {
  ignoreClosedPipes();
  try {
    process.exitCode = await command();
  } catch (error) {
    if (!isCodedError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = failureCode;
  }
}

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Prints how to call a command, and returns the exit code for invalid arguments. */
export function printUsage(usage: string): number {
  process.stderr.write(usage);
  return 2;
}

/** A signal that aborts when the process is asked to end. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
