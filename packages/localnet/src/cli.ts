#!/usr/bin/env node
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { MAX_SCALE, startLocalnet } from './api.ts';

const USAGE = `usage: sluice-localnet [--port 8899] [--host 127.0.0.1] [--seed sluice] [--scale 1] [--frozen]
                       [--geyser-port 10000] [--geyser-token secret] [--json]

Runs an offline Solana chain with the KLend, KVault and Farms programs and a world of markets, vaults and wallets.
Point any Solana tool, or a Sluice gateway, at it.

  --port <n>     JSON-RPC port; WebSockets use the same one (8899; 0 picks a free one)
  --host <name>  address to listen on (127.0.0.1)
  --seed <text>  another seed gives another world, with other addresses (sluice)
  --scale <n>    size of the world, 1 to ${MAX_SCALE}: 10 has ten times as many accounts (1)
  --frozen       time moves only on request, and by one slot after each transaction
  --geyser-port <n>      port of a Yellowstone gRPC stream (no stream; 0 picks a free one)
  --geyser-token <text>  clients of the stream must send it as x-token
  --json         prints the addresses and the key of the example wallet as one line of JSON
  --version      prints the version
  --help         prints this text
`;

const MAX_PORT = 65_535;
/** Exit code of a command that cannot do what was asked. */
const FAILED = 1;
/** Exit code of a command that does not understand its arguments. */
const MISUSED = 2;

/** An option whose value cannot be used. */
class OptionError extends Error {}

const values = readArguments();
if (values === null) {
  process.stderr.write(USAGE);
  process.exitCode = MISUSED;
} else if (values.help) process.stdout.write(USAGE);
else if (values.version) process.stdout.write(`${manifest.version}\n`);
else await run(values);

type Arguments = NonNullable<ReturnType<typeof readArguments>>;

async function run(values: Arguments): Promise<void> {
  const { port, host, seed, scale, frozen, json } = values;
  const geyserPort = values['geyser-port'];
  const geyserToken = values['geyser-token'];
  try {
    const localnet = await startLocalnet({
      port: integerOption('--port', port, 0, MAX_PORT),
      scale: integerOption('--scale', scale, 1, MAX_SCALE),
      host,
      seed,
      frozen,
      ...(geyserPort !== undefined && {
        geyserPort: integerOption('--geyser-port', geyserPort, 0, MAX_PORT),
      }),
      ...(geyserToken !== undefined && { geyserToken }),
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void localnet.stop());
    const { rpcUrl, wsUrl, geyserUrl, addresses, secretKey } = localnet;
    const streamUrl = geyserUrl === null ? {} : { geyserUrl };
    const stream = geyserUrl === null ? '' : `, gRPC ${geyserUrl}`;
    const text = json
      ? JSON.stringify({ rpcUrl, wsUrl, ...streamUrl, secretKey: [...secretKey], ...addresses })
      : `localnet: ${rpcUrl} (WebSocket ${wsUrl}${stream})\n${JSON.stringify(addresses, null, 2)}`;
    process.stdout.write(`${text}\n`);
  } catch (error) {
    const message = error instanceof OptionError ? error.message : listenFailure(error, host, port);
    if (message === null) throw error;
    process.stderr.write(`sluice-localnet: ${message}\n`);
    process.exitCode = FAILED;
  }
}

/** Null when an argument is unknown or misses its value. */
function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8899' },
        host: { type: 'string', default: '127.0.0.1' },
        seed: { type: 'string', default: 'sluice' },
        scale: { type: 'string', default: '1' },
        'geyser-port': { type: 'string' },
        'geyser-token': { type: 'string' },
        frozen: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch {
    return null;
  }
}

function integerOption(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new OptionError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

/** Null when the error has another cause than the address to listen on. */
function listenFailure(error: unknown, host: string, port: string): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  if (error.code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use (EADDRINUSE); --port picks another, 0 any free one`;
  }
  return `cannot listen on ${host}:${port} (${String(error.code)}); see --host and --port`;
}
