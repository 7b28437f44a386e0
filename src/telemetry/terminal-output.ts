import type { DestinationStream } from 'pino';

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Output for a person at a terminal: log lines as text, above one line that shows progress. */
export interface TerminalOutput extends DestinationStream {
  /** Prints a line of its own. */
  print(text: string): void;
  /** Replaces the progress line; null removes it. */
  showProgress(text: string | null): void;
}

/** Returns to the start of the line and erases it. */
const ERASE_LINE = '\r\u001b[2K';

/** Undefined when the output is a pipe or file, which gets JSON log lines and no progress. */
export async function terminalOutput(stdout: Terminal = process.stdout): Promise<TerminalOutput | undefined> {
  if (!stdout.isTTY) return undefined;
  const { prettyFactory } = (await import('pino-pretty')).default;
  const format = prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  let progress: string | null = null;
  const above = (text: string) =>
    void stdout.write(progress === null ? text : `${ERASE_LINE}${text}${progress}`);
  return {
    write: (line) => above(format(line)),
    print: (text) => above(`${text}\n`),
    showProgress(text) {
      if (text === progress) return;
      stdout.write(`${progress === null ? '' : ERASE_LINE}${text ?? ''}`);
      progress = text;
    },
  };
}
