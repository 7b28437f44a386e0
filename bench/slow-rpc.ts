import { startDelayingProxy } from './delaying-proxy.ts';

/**
 * A proxy that delays every RPC call: `tsx slow-rpc.ts URL MS`. A GET returns the number of calls per method since the
 * previous GET.
 */
const [target = '', delay = '25'] = process.argv.slice(2);
let calls: Record<string, number> = {};

const { url } = await startDelayingProxy(
  target,
  { delayMs: Number(delay) },
  {
    called({ method }) {
      calls[method] = (calls[method] ?? 0) + 1;
    },
    report() {
      const counted = calls;
      calls = {};
      return counted;
    },
  },
);
process.stdout.write(`${url}\n`);
