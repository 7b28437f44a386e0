/** Errors of writing to a pipe whose reader has closed it, as `head` does. */
const CLOSED_PIPE: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/** Drops output after the reader has closed the pipe, instead of ending the process with a stack trace. */
export function ignoreClosedPipes(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', ignoreClosedPipe);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (!CLOSED_PIPE.includes(error.code)) throw error;
}
