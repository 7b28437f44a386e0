import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { startEmbeddedChain } from './embedded-chain.ts';

/** The embedded chain alone: `npm run demo-rpc -- --port 8899`. Any Solana tool, or a gateway, can be pointed at it. */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '8899' }, host: { type: 'string', default: '127.0.0.1' } },
});
const {
  PORT: port,
  HOST: host,
  DEMO_SCALE: scale,
} = loadConfig({
  ...{ DEMO_SCALE: process.env['DEMO_SCALE'] },
  PORT: values.port,
  HOST: values.host,
});

const chain = await startEmbeddedChain({ scale, port, host });
process.stdout.write(`embedded chain: ${chain.rpc.url} (WebSocket ${chain.rpc.wsUrl})\n`);
process.stdout.write(`${JSON.stringify(chain.addresses, null, 2)}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void chain.stop());
