import { request as httpRequest } from 'node:http';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import {
  type Script,
  type ScriptedRpc,
  startScriptedRpc,
} from '../../../packages/rpc-pool/test/support/scripted-rpc.ts';

/** A proxy to the world's RPC that fails on request. */
export interface FaultyRpc {
  readonly localChain: TestChain;
  readonly rpc: ScriptedRpc;
  /** Forwards everything again. */
  heal(): void;
  stop(): Promise<void>;
}

export async function startFaultyRpc(): Promise<FaultyRpc> {
  const localChain = new TestChain();
  const healthy = await serveChain(localChain);
  const through = passOn(healthy.url);
  const rpc = await startScriptedRpc(through);
  return {
    localChain,
    rpc,
    heal() {
      rpc.script = through;
    },
    async stop() {
      await rpc.stop();
      await healthy.close();
    },
  };
}

function passOn(target: string): Script {
  return ({ body, response }) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const upstream = httpRequest(target, { method: 'POST', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    upstream.end(body);
  };
}
