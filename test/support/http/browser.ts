import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { requestListener } from '../../../src/http/server.ts';

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executable = EXECUTABLES.find((path) => existsSync(path));

/** In CI a missing browser is a failure. */
export const skipBrowser = executable === undefined && process.env.CI !== 'true';
export const NO_BROWSER = skipBrowser ? ' (skipped: Chromium is not installed)' : '';

/** A browser without background requests that resolves no host but this machine. */
export async function launchBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
  return await chromium.launch({
    executablePath: executable,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a fetch-style handler on a real socket. */
export async function serveSite(fetch: (request: Request) => Promise<Response>): Promise<Site> {
  const server = createServer(requestListener(fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
