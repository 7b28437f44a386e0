import { request as httpRequest } from 'node:http';
import { serveLedger, TestLedger } from '../ledger/test-ledger.ts';
import { type Script, type ScriptedRpc, startScriptedRpc } from '../rpc/scripted-rpc.ts';

/** A proxy to the world's RPC that fails on request. */
export interface FaultyRpc {
  readonly ledger: TestLedger;
  readonly rpc: ScriptedRpc;
  /** Forwards everything again. */
  heal(): void;
  stop(): Promise<void>;
}

export async function startFaultyRpc(): Promise<FaultyRpc> {
  const ledger = new TestLedger();
  const healthy = await serveLedger(ledger);
  const through = passOn(healthy.url);
  const rpc = await startScriptedRpc(through);
  return {
    ledger,
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
