import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';
import { renameVault } from '../support/localnet/renamed-vault.ts';

const HOSTILE = '</title><script>alert(1)</script>\u202e&"';

let world: ChangingContractWorld;
let [hostile, nameless] = ['', ''];

beforeAll(async () => {
  world = await startChangingContractWorld({}, (localChain) => {
    hostile = renameVault(localChain, 3, HOSTILE);
    nameless = renameVault(localChain, 4, '');
  });
});
afterAll(() => world?.stop());

const metadataOf = async (mint: string) =>
  (await world.get(`/kvaults/mints/${mint}/metadata`)).body as Record<string, string>;
const iconOf = (mint: string) => world.get(`/kvaults/mints/${mint}/metadata/image.svg`);
const texts = (svg: string, kind: string) =>
  [...svg.matchAll(new RegExp(`<text class="${kind}"[^>]*>([^<]*)</text>`, 'g'))].map((match) => match[1]);

describe('share metadata', () => {
  it('equals the GraphQL answer for the vault, with the image under the URL of the request', async () => {
    const { sharesMint, vault } = world.localChain.addresses;
    const { image, ...metadata } = await metadataOf(sharesMint);
    expect(image).toBe(`http://sluice.test/kvaults/mints/${sharesMint}/metadata/image.svg`);
    const graph = await world.gateway.query<{ vault: { shareMetadata: object } }>(
      `{ vault(address: "${vault}") { shareMetadata { name symbol description imageUrl } } }`,
    );
    expect(graph.data.vault.shareMetadata).toEqual({ ...metadata, imageUrl: image });
    expect(metadata).toMatchObject({ name: 'Harbor USDC Prime', symbol: 'kvUSDC' });
    expect(metadata.description).toContain('Harbor USDC Prime');
  });

  it('uses the symbol as the name of the shares of an unnamed vault', async () => {
    expect(await metadataOf(nameless)).toMatchObject({ name: 'kvUSDC', symbol: 'kvUSDC' });
  });

  it('has an image that can be fetched', async () => {
    const { image = '' } = await metadataOf(hostile);
    const answer = await world.get(new URL(image).pathname);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});

describe('the icon', () => {
  it('shows token and vault, and the token alone when it is small', async () => {
    const { text } = await iconOf(world.localChain.addresses.sharesMint);
    expect(texts(text, 'large')).toEqual(['USDC', 'Harbor USDC Prime']);
    expect(texts(text, 'small')).toEqual(['USDC']);
    expect(text).toContain('>Harbor USDC Prime (kvUSDC)</title>');
  });

  it('may be cached for a day and runs no scripts', async () => {
    const { headers } = await iconOf(hostile);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toContain('max-age=86400');
  });

  it('contains no markup from a name', async () => {
    const { text } = await iconOf(hostile);
    expect(text).not.toMatch(
      /<script|\u202e|foreignObject|javascript:|https?:(?!\/\/www\.w3\.org\/2000\/svg)/,
    );
    expect(text.match(/<title/g)).toHaveLength(1);
    expect(texts(text, 'large').join('')).toMatch(/^USDC&lt;\/title&gt;/);
  });

  it('is deterministic, and distinct for every vault', async () => {
    const { vaults } = world.localChain.worldChain.world;
    const mints = vaults.map(({ sharesMint }) => sharesMint.address);
    const icons = await Promise.all(mints.map(async (mint) => (await iconOf(mint)).text));
    expect(icons.every((icon) => icon.startsWith('<svg xmlns=') && icon.length < 5_000)).toBe(true);
    const shapes = icons.map((icon) => icon.replace(/kv-\w+|<text.*|<title.*/g, ''));
    expect(new Set(shapes).size).toBe(mints.length);
    expect((await iconOf(mints[0] ?? '')).text).toBe(icons[0]);
  });
});

describe('a mint that belongs to no vault', () => {
  it('is not found, whether the address is unused or another account', async () => {
    const { wallet, sharesMint, reserve } = world.localChain.addresses;
    for (const other of [wallet, sharesMint, reserve]) {
      for (const path of ['', '/metrics']) {
        const { status, body } = await world.get(`/kvaults/vaults/${other}${path}`);
        expect([status, body]).toEqual([404, { metadata: expect.stringContaining(other) }]);
      }
    }
  });
});
