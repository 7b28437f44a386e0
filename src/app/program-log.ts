import { ignoreOutputErrors } from '../node/output-errors.ts';
import { BufferedOutput } from '../telemetry/buffered-output.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { type TerminalOutput, terminalOutput } from '../telemetry/terminal-output.ts';

/** Time for which the end of a process waits for the reader of its log. */
const LAST_READ_MS = 2_000;

/** The log of a program that runs until it is stopped, on its standard output. */
export interface ProgramLog {
  readonly logger: Logger;
  /** Undefined when the output is a pipe or file. */
  readonly terminal: TerminalOutput | undefined;
  /** Lets the process end although nobody may read the last lines. */
  end(): void;
}

export async function openProgramLog(level: string): Promise<ProgramLog> {
  ignoreOutputErrors();
  const terminal = await terminalOutput();
  if (terminal !== undefined) return { logger: createLogger(level, terminal), terminal, end() {} };
  const output = new BufferedOutput(process.stdout);
  process.on('exit', () => output.flush());
  return {
    logger: createLogger(level, output),
    terminal,
    end() {
      output.flush();
      // A write that the reader does not take would keep the process alive.
      setTimeout(() => output.unread > 0 && process.exit(), LAST_READ_MS).unref();
    },
  };
}
