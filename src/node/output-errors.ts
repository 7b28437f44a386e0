/** Errors of writing to a pipe whose reader has closed it, as `head` does. */
const CLOSED_PIPE: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

const outputs = () => [process.stdout, process.stderr];

/** Drops output after the reader has closed the pipe, instead of ending the process with a stack trace. */
export function ignoreClosedPipes(): void {
  for (const output of outputs()) output.on('error', ignoreClosedPipe);
}

/** Drops output that cannot be written, for example to a full disk: a server goes on. */
export function ignoreOutputErrors(): void {
  for (const output of outputs()) output.off('error', ignoreClosedPipe).on('error', ignore);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (!CLOSED_PIPE.includes(error.code)) throw error;
}

function ignore(): void {}
