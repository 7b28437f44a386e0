import { loadConfig } from '../../config/config.ts';
import { runCommand } from '../run-command.ts';

const TIMEOUT_MS = 4_000;

/** Container health check: exit code 0 if the gateway on this machine responds. */
await runCommand(async () => {
  const { HOST, PORT } = loadConfig();
  const isWildcard = HOST === '0.0.0.0' || HOST === '::';
  const host = isWildcard ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const url = `http://${host}:${PORT}/health`;
  return await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => (ok ? 0 : 1),
    () => 1,
  );
});
