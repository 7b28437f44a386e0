import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let gateway: TestEmbeddedApp;
let site: Site;

beforeAll(async () => {
  gateway = await startEmbeddedApp();
  site = await serveSite(gateway.app.fetch);
});
afterAll(async () => {
  await site?.close();
  await gateway?.app.stop();
});

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, args, { cwd: ROOT });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { output: output.trim(), errors, exitCode };
}

async function shares(slot: string): Promise<number> {
  const { vault, wallet } = gateway.addresses;
  const { data } = await askApp<{ vault: { position: { totalShares: string } } }>(
    gateway.app,
    `{ vault(address: "${vault}") { position(wallet: "${wallet}") { totalShares } } }`,
    { headers: { 'x-min-slot': slot } },
  );
  return Number(data.vault.position.totalShares);
}

it('the example that the README names builds, signs and sends, and the position grows', async () => {
  const before = await shares('0');
  const { output, errors, exitCode } = await run('docs/signing/first-deposit.js', site.origin);
  expect({ errors, exitCode }).toEqual({ errors: '', exitCode: 0 });
  const [, slot = expect.fail(output)] = /^(?:CONFIRMED|FINALIZED) (\d+) null$/.exec(output) ?? [];
  const gained = (await shares(slot)) - before;
  // A share is worth a little more than a token.
  expect(gained).toBeGreaterThan(20);
  expect(gained).toBeLessThan(25);
});
