import { loadConfig } from '../../config/config.ts';

/** For a container: whether the gateway of this machine lives. The status of the process is the answer. */
const TIMEOUT_MS = 4_000;

const { HOST, PORT } = loadConfig();
const everywhere = HOST === '0.0.0.0' || HOST === '::';
const host = everywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
const alive = await fetch(`http://${host}:${PORT}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = alive ? 0 : 1;
