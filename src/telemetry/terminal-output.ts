import type { DestinationStream } from 'pino';

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Formats log lines as text for a person at a terminal; undefined when the output is a pipe or file, which gets JSON. */
export async function terminalOutput(
  stdout: Terminal = process.stdout,
): Promise<DestinationStream | undefined> {
  if (!stdout.isTTY) return undefined;
  const { prettyFactory } = (await import('pino-pretty')).default;
  const format = prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => void stdout.write(format(line)) };
}
