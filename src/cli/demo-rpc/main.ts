import { parseArgs } from 'node:util';
import { loadConfig } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import { startEmbeddedChain } from '../../demo/embedded-chain.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { print, printUsage, runCommand } from '../run-command.ts';

const USAGE = `npm run demo-rpc -- [--port 8899] [--host 127.0.0.1]
`;

/** Runs the embedded chain on its own. Point any Solana tool, or a gateway, at it. */
await runCommand(async () => {
  const values = readArguments();
  if (values === null) return printUsage(USAGE);
  const port = SETTINGS.PORT.parse(values.port);
  if (port === undefined) {
    throw new SluiceError('CONFIG_INVALID', {
      variable: '--port',
      allowed: `must be ${SETTINGS.PORT.allowed}`,
    });
  }
  const chain = await startEmbeddedChain({ scale: loadConfig().DEMO_SCALE, port, host: values.host });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void chain.stop());
  print(`embedded chain: ${chain.rpc.url} (WebSocket ${chain.rpc.wsUrl})`);
  print(JSON.stringify(chain.addresses, null, 2));
  return 0;
});

function readArguments() {
  try {
    return parseArgs({
      options: { port: { type: 'string', default: '8899' }, host: { type: 'string', default: '127.0.0.1' } },
    }).values;
  } catch {
    return null;
  }
}
