import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { worldSeasons } from '@sluice/localnet/world-seasons';
import { Chain } from '../src/chain/chain.ts';
import type { View } from '../src/chain/view/view.ts';
import { parseCatalogue } from '../src/config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../src/config/catalogue/format.ts';
import { parseSeasons } from '../src/config/catalogue/seasons.ts';
import type { SeasonsInput } from '../src/config/catalogue/seasons-format.ts';
import { loadConfig } from '../src/config/config.ts';
import { type DocumentOptions, openApiDocument, type RecordedExample } from '../src/rest/openapi/openapi.ts';
import { TextStream } from '../src/rest/operation/text-stream.ts';
import { SERVED_OPERATIONS } from '../src/rest/operation-table.ts';
import { Platform } from '../src/services/platform/platform.ts';
import type { Session } from '../src/services/request/session.ts';
import { type ExampleHistory, exampleHistory } from './example-history.ts';
import { printJson } from './print-json.ts';

/**
 * Writes `openapi.json`. With `--check`, fails if the committed file is out of date. Its examples are answers of the
 * localnet at a fixed time, with a few days of history.
 */
const RECORDED_AT_MS = Date.UTC(2026, 0, 15);
const NEVER_MS = 2_000_000_000;
const TIMEOUT_MS = 60_000;
const EXAMPLE_URL = 'https://sluice.example';

/** Values that name a View of this run, or the time when it was read. */
const OF_THIS_RUN: Readonly<Record<string, string>> = {
  paginationToken: 'fNcMLr2FWCgACmE5NTE4MTkxLTEAxcOf8Ck0',
};
const STARTED_AT_MS = Date.now();

function sameInEveryRun(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const isNow = ISO_TIME.test(value) && Date.parse(value) >= STARTED_AT_MS && Date.parse(value) <= Date.now();
  return isNow ? new Date(RECORDED_AT_MS).toISOString() : (OF_THIS_RUN[key] ?? value);
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

async function recorded(): Promise<Pick<DocumentOptions, 'examples' | 'addresses'>> {
  const localChain = createWorldChain({ now: () => RECORDED_AT_MS });
  const rpc = await startRpcServer(localChain);
  const { programs } = loadConfig({});
  const chain = new Chain({
    rpcUrls: [rpc.url],
    wsUrls: [],
    programs,
    cluster: 'localnet',
    commitment: 'confirmed',
    viewRefreshMs: NEVER_MS,
    vaultRefreshMs: NEVER_MS,
    discoveryIntervalMs: NEVER_MS,
    viewsKept: 1,
    rpcTimeoutMs: TIMEOUT_MS,
    rpcMaxAttempts: 1,
    rpcConcurrency: 4,
  });
  let history: ExampleHistory | undefined;
  try {
    const firstView = new Promise<View>((resolve) => chain.views.onView(resolve));
    chain.start();
    const catalogue = parseCatalogue(
      worldCatalogue(localChain.world, RECORDED_AT_MS) as CatalogueInput,
      'the embedded catalogue',
    );
    history = await exampleHistory({
      chain,
      view: await firstView,
      catalogue,
      programs,
      presentMs: RECORDED_AT_MS,
      timeoutMs: TIMEOUT_MS,
    });
    const seasons = parseSeasons(
      worldSeasons(localChain.world, localChain.addresses, RECORDED_AT_MS) as SeasonsInput,
      'of the localnet',
    );
    const platform = new Platform({ chain, catalogue, seasons, history: history.source });
    const examples: Record<string, RecordedExample> = {};
    for (const operation of SERVED_OPERATIONS) {
      const input = operation.example(localChain.addresses);
      if (operation.exampleAnswer !== undefined) {
        examples[operation.id] = { input, answer: operation.exampleAnswer };
        continue;
      }
      const { params = {}, query = {}, body = {} } = input;
      const session = await platform.openSession({ signal: AbortSignal.timeout(TIMEOUT_MS) });
      const { run } = operation.accept({ params, query, body });
      const part = <T>(next: (session: Session) => Promise<T>) => next(session);
      const made: unknown = await run({ session, platform, baseUrl: EXAMPLE_URL, part });
      const answer = made instanceof TextStream ? await made.text() : made;
      examples[operation.id] = { input, answer: JSON.parse(JSON.stringify(answer, sameInEveryRun)) };
    }
    return { examples, addresses: localChain.addresses };
  } finally {
    await history?.stop();
    await chain.stop();
    await rpc.close();
  }
}

const file = new URL('../openapi.json', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const printed = `${printJson(openApiDocument(SERVED_OPERATIONS, { version, ...(await recorded()) }))}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, printed);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== printed) {
  process.stderr.write('openapi.json is out of date: run `npm run openapi`\n');
  process.exitCode = 1;
}
