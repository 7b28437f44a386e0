import { parseArgs } from 'node:util';
import { loadConfig } from '../../config/config.ts';
import { SETTINGS } from '../../config/settings.ts';
import { startControlledChain } from '../../demo/embedded-chain.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { print, printUsage, runCommand } from '../run-command.ts';

const USAGE = `npm run demo-rpc -- [--port 8899] [--host 127.0.0.1] [--seed sluice] [--frozen] [--json]
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
  const { host, seed, frozen } = values;
  const chain = await startControlledChain({ scale: loadConfig().DEMO_SCALE, port, host, seed, frozen });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void chain.stop());
  const { url: rpcUrl, wsUrl } = chain.rpc;
  if (values.json)
    print(JSON.stringify({ rpcUrl, wsUrl, secretKey: [...chain.secretKey], ...chain.addresses }));
  else {
    print(`embedded chain: ${rpcUrl} (WebSocket ${wsUrl})`);
    print(JSON.stringify(chain.addresses, null, 2));
  }
  return 0;
});

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8899' },
        host: { type: 'string', default: '127.0.0.1' },
        seed: { type: 'string', default: 'sluice' },
        frozen: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch {
    return null;
  }
}
