import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

let started: TestEmbeddedApp;
beforeAll(async () => {
  started = await startEmbeddedApp();
});
afterAll(() => started?.app.stop());

interface Vault {
  readonly address: string;
  readonly tokensPerShare: string;
  readonly token: { readonly price: { readonly usd: string } };
}
interface Balance {
  readonly amount: string;
  readonly usd: string | null;
  readonly sol: string | null;
  readonly token: { readonly mint: string; readonly sharesOf: Vault | null };
}
interface Position {
  readonly unstakedShares: string;
  readonly stakedShares: string;
  readonly value: { readonly usd: string };
  readonly vault: { readonly address: string; readonly sharesToken: { readonly mint: string } };
}
interface Answer {
  readonly wallet: {
    readonly balances: readonly Balance[];
    readonly vaultPositions: { readonly nodes: readonly Position[] };
  };
  readonly sol: { readonly price: { readonly usd: string } };
}

const QUERY = `query ($wallet: Address!) {
  sol: token(mint: "So11111111111111111111111111111111111111112") { price { usd } }
  wallet(address: $wallet) {
    balances { amount usd sol token { mint sharesOf { address tokensPerShare token { price { usd } } } } }
    vaultPositions(first: 100) { nodes {
      unstakedShares stakedShares value { usd } vault { address sharesToken { mint } }
    } }
  }
}`;

const near = (text: string | null, expected: number) =>
  expect(Math.abs(Number(text) / expected - 1), `${text} and ${expected}`).toBeLessThan(1e-12);

async function portfolio(): Promise<Answer> {
  const { app, addresses } = started;
  const answer = await askApp<Answer>(app, QUERY, { variables: { wallet: addresses.wallet } });
  expect(answer.errors).toEqual([]);
  return answer.data;
}

describe('shares among the balances of a wallet', () => {
  it('have the value of that many shares, and a link to their vault', async () => {
    const { wallet, sol } = await portfolio();
    const shares = wallet.balances.filter(({ token }) => token.sharesOf !== null);
    const held = wallet.vaultPositions.nodes.filter(({ unstakedShares }) => unstakedShares !== '0');
    expect(held.length).toBeGreaterThan(0);
    expect(shares.map(({ token, amount }) => [token.sharesOf?.address, token.mint, amount]).sort()).toEqual(
      held.map(({ vault, unstakedShares }) => [vault.address, vault.sharesToken.mint, unstakedShares]).sort(),
    );
    for (const { amount, usd, sol: inSol, token } of shares) {
      const vault = token.sharesOf;
      const expected = Number(amount) * Number(vault?.tokensPerShare) * Number(vault?.token.price.usd);
      near(usd, expected);
      near(inSol, expected / Number(sol.price.usd));
      const position = held.find((each) => each.vault.address === vault?.address);
      const total = Number(position?.unstakedShares) + Number(position?.stakedShares);
      near(usd, (Number(position?.value.usd) * Number(amount)) / total);
    }
    const others = wallet.balances.filter(({ token }) => token.sharesOf === null);
    expect(others.length).toBeGreaterThan(0);
  });

  it('are worth nothing where the wallet holds none', async () => {
    const { app, addresses } = started;
    const answer = await askApp(
      app,
      `query ($wallet: Address!, $mint: Address!) { wallet(address: $wallet) {
        balances(mints: [$mint]) { amount usd token { sharesOf { address } } } } }`,
      { variables: { wallet: addresses.emptyWallet, mint: addresses.sharesMint } },
    );
    expect(answer.data).toEqual({
      wallet: { balances: [{ amount: '0', usd: '0', token: { sharesOf: { address: addresses.vault } } }] },
    });
  });
});
