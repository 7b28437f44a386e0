import { parseArgs } from 'node:util';
import { loadConfig } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import { startEmbeddedChain } from '../../demo/embedded-chain.ts';

/** The embedded chain alone: `npm run demo-rpc -- --port 8899`. Any Solana tool, or a gateway, can be pointed at it. */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '8899' }, host: { type: 'string', default: '127.0.0.1' } },
});
const port = SETTINGS.PORT.parse(values.port);
if (port === undefined) {
  process.stderr.write(`--port: must be ${SETTINGS.PORT.allowed}\n`);
  process.exitCode = 1;
} else {
  const chain = await startEmbeddedChain({ scale: loadConfig().DEMO_SCALE, port, host: values.host });
  process.stdout.write(`embedded chain: ${chain.rpc.url} (WebSocket ${chain.rpc.wsUrl})\n`);
  process.stdout.write(`${JSON.stringify(chain.addresses, null, 2)}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void chain.stop());
}
