import type { Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { type CodedError, SluiceError } from '../errors/sluice-error.ts';

type ListenSettings = Pick<Config, 'PORT' | 'HOST'>;

/**
 * Starts listening and returns the base URL.
 * @throws SluiceError CONFIG_INVALID when PORT or HOST cannot be used on this machine.
 */
export function listen(server: Server, { PORT, HOST }: ListenSettings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(asSettingProblem(error, { PORT, HOST }) ?? error));
    server.listen(PORT, HOST, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : PORT;
      resolve(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`);
    });
  });
}

function asSettingProblem(
  error: NodeJS.ErrnoException,
  { PORT, HOST }: ListenSettings,
): CodedError | undefined {
  const problem = (variable: string, allowed: string) =>
    new SluiceError('CONFIG_INVALID', { variable, allowed }, { cause: error });
  switch (error.code) {
    case 'EADDRINUSE':
      return problem(
        'PORT',
        `${PORT} is already in use on ${HOST}; choose another port or stop the process that uses it`,
      );
    case 'EACCES':
      return problem('PORT', `this user may not listen on ${PORT}; choose a port above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return problem('HOST', `${HOST} is not an address of this machine`);
    default:
      return undefined;
  }
}
