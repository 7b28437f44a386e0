import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { migrate } from '../../../src/store/migrate.ts';
import {
  NO_POSTGRES,
  skipPostgres,
  startTestPostgres,
  type TestPostgres,
} from '../databases/postgres-server.ts';
import { GatewayProcess } from '../processes/gateway-process.ts';
import { ALERT_ENV, newKeys } from './alert-world.ts';
import { PricedChain } from './priced-chain.ts';
import { type Message, TestReceiver } from './test-receiver.ts';

const ALERTS = 10;
const PATIENTLY = { timeout: 280_000, interval: 50 };
const CREATE = 'mutation ($input: CreateAlertInput!) { createAlert(input: $input) { alert { id } } }';

interface Gateway {
  readonly process: GatewayProcess;
  readonly url: string;
}

/** Kills the gateway that delivers again and again, and the database every third time, at moments that a seed decides. */
export function describeAlertKills(kills: number): void {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

  describe.skipIf(skipPostgres)(`Alerts whose leader is killed ${kills} times${NO_POSTGRES}`, () => {
    let database: TestPostgres;
    let rpc: LocalnetRpc;
    let receiver: TestReceiver;
    let owner: Readonly<Record<string, string>>;
    const localChain = new PricedChain(new TestChain());
    const gateways = new Set<Gateway>();

    beforeAll(async () => {
      process.stdout.write(`kills with seed ${seed}\n`);
      database = await startTestPostgres();
      await migrate(database.url);
      [owner] = await newKeys(database.url);
      rpc = await serveChain(localChain.localChain);
      receiver = await TestReceiver.start();
      // Slow, so that messages are under way when the leader dies; some are answered with an error.
      let count = 0;
      receiver.answer = (_received, response: ServerResponse) => {
        count += 1;
        const status = count % 7 === 0 ? 500 : 204;
        setTimeout(() => response.writeHead(status).end(), (count * 37) % 200);
      };
      await Promise.all([start(), start()]);
    });
    afterAll(async () => {
      for (const { process: each } of gateways) each.kill('SIGKILL');
      await receiver?.stop();
      await rpc?.close();
      database?.remove();
    });

    async function start(): Promise<Gateway> {
      const gateway = new GatewayProcess({
        ...ALERT_ENV,
        DATABASE_URL: database.url,
        SOLANA_RPC_URLS: rpc.url,
        SOLANA_CLUSTER: 'localnet',
        VIEW_REFRESH_MS: '200',
        RATE_LIMIT: '0',
        LOG_LEVEL: 'error',
      });
      const started = { process: gateway, url: await gateway.ready() };
      gateways.add(started);
      return started;
    }

    async function leader(): Promise<Gateway> {
      let found: Gateway | undefined;
      await vi.waitUntil(async () => {
        for (const gateway of gateways) if (await leads(gateway)) found = gateway;
        return found !== undefined;
      }, PATIENTLY);
      if (found === undefined) throw new Error('nobody leads');
      return found;
    }

    async function leads({ url }: Gateway): Promise<boolean> {
      try {
        const text = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) })).text();
        return text.includes('\nsluice_alerts_leading 1\n');
      } catch {
        return false;
      }
    }

    async function ask(query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
      const [{ url }] = [...gateways] as [Gateway];
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...owner },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      return data;
    }

    /** The distinct messages of an alert, in the order in which they first arrived. */
    function firstCopies(path: string): readonly Message[] {
      const seen = new Map<string, Message>();
      for (const { message } of receiver.at(path)) if (!seen.has(message.id)) seen.set(message.id, message);
      return [...seen.values()];
    }

    it('are delivered at least once, in order, and none is invented', async () => {
      const random = mulberry(seed);
      const { obligation } = localChain.addresses;
      const asked = await ask('query ($a: Address!) { obligation(address: $a) { healthFactor } }', {
        a: obligation,
      });
      const health = Number((asked as { obligation: { healthFactor: string } }).obligation.healthFactor);
      const paths = Array.from({ length: ALERTS }, (_, i) => `/${i}`);
      for (const path of paths) {
        const input = {
          url: receiver.url(path),
          metric: 'OBLIGATION_HEALTH',
          subject: obligation,
          below: (health * 0.9).toFixed(6),
          clearAt: (health * 0.95).toFixed(6),
        };
        await vi.waitFor(() => ask(CREATE, { input }), PATIENTLY);
      }
      const expected: string[] = [];
      for (let kill = 0; kill < kills; kill += 1) {
        const doomed = await leader();
        const isLow = kill % 2 === 0;
        expected.push(isLow ? 'FIRED' : 'CLEARED');
        localChain.setPrice(isLow ? 80n : 100n);
        await sleep(random() * 1_500);
        doomed.process.kill('SIGKILL');
        gateways.delete(doomed);
        await doomed.process.exited;
        if (kill % 3 === 1) {
          database.kill();
          await sleep(random() * 500);
          database.start();
        }
        const replacement = start();
        await vi.waitUntil(
          () => paths.every((path) => firstCopies(path).length >= expected.length),
          PATIENTLY,
        );
        await replacement;
      }
      for (const path of paths) {
        const messages = firstCopies(path);
        expect(messages.map(({ event }) => event)).toEqual(expected);
        expect(messages.map(({ sequence }) => sequence)).toEqual(expected.map((_, i) => i + 1));
        // A repeated message is the same message.
        expect(new Set(receiver.at(path).map(({ body }) => body)).size).toBe(messages.length);
      }
    });
  });
}

/** A small seeded generator: the same seed kills at the same moments. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
