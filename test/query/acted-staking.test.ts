import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { WalletActor } from '../support/apps/wallet-actor.ts';

/** Stakes of shares and moves to elevation groups on the frozen localnet: previewed, sent and read back. */

const USDC = 1_000_000n;

interface Change {
  readonly before: string;
  readonly after: string;
}

interface Plan<P> {
  readonly __typename: string;
  readonly code?: string;
  readonly transactions: readonly { readonly base64: string }[];
  readonly preview: P & { readonly warnings: readonly { readonly code: string; readonly level: string }[] };
}

let world: ActingApp;
let actor: WalletActor;
let headers: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  world = await startActingApp();
  const { addresses } = world.localnet;
  const signer = await world.newWallet({ [addresses.tokenMint]: 10_000n * USDC });
  actor = new WalletActor(world, signer, 'GraphQL', 'RPC');
});
afterAll(() => world?.stop());

async function build<P>(mutation: string, type: string, figures: string, input: object): Promise<Plan<P>> {
  const { data, errors } = await world.gateway.query<{ plan: Plan<P> }>(
    `mutation ($input: ${type}!) { plan: ${mutation}(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 }
        preview { ${figures} warnings { code level } }
        simulation { success logs }
      }
    } }`,
    { variables: { input: { wallet: actor.address, ...input } }, headers },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

async function send<P>(plan: Plan<P>): Promise<P> {
  expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
  expect(plan.transactions).toHaveLength(1);
  ({ headers } = await world.send('RPC', plan.transactions[0]?.base64 ?? '', actor.signer));
  return plan.preview;
}

describe('shares of a vault', () => {
  interface Shares {
    readonly stakedShares: Change;
    readonly unstakedShares: Change;
  }

  const act = async (mutation: string, amount: object) =>
    await send(
      await build<Shares>(
        mutation,
        'ShareStakingInput',
        'stakedShares { before after } unstakedShares { before after }',
        { vault: world.localnet.addresses.vault, amount },
      ),
    );

  const position = async () => {
    const { vault } = world.localnet.addresses;
    const { data } = await world.gateway.query<{
      vault: { position: { stakedShares: string; unstakedShares: string } };
    }>(
      `{ vault(address: "${vault}") { position(wallet: "${actor.address}") { stakedShares unstakedShares } } }`,
      { headers },
    );
    return data.vault.position;
  };

  it('leave the farm and enter it again, as previewed', async () => {
    ({ headers } = await actor.act('VaultDeposit', '1000'));
    const { stakedShares: all } = await position();
    const left = await act('buildUnstakeShares', { shares: '100.000001' });
    expect(left.stakedShares.before).toBe(all);
    expect(left.unstakedShares).toEqual({ before: '0', after: '100.000001' });
    expect(await position()).toEqual({
      stakedShares: left.stakedShares.after,
      unstakedShares: left.unstakedShares.after,
    });
    const part = await act('buildStakeShares', { shares: '0.000001' });
    expect(part.unstakedShares.after).toBe('100');
    const back = await act('buildStakeShares', { all: 'ALL' });
    expect(back.unstakedShares).toEqual({ before: '100', after: '0' });
    expect(await position()).toEqual({ stakedShares: all, unstakedShares: '0' });
    const out = await act('buildUnstakeShares', { all: 'ALL' });
    expect(out.stakedShares.after).toBe('0');
    expect(await position()).toEqual({ stakedShares: '0', unstakedShares: all });
  });

  it('that the wallet does not have are refused, or warned of', async () => {
    const { vault } = world.localnet.addresses;
    const unstaking = (amount: object) =>
      build<object>('buildUnstakeShares', 'ShareStakingInput', '', { vault, amount });
    expect(await unstaking({ all: 'ALL' })).toMatchObject({
      code: 'BUILD_REFUSED',
      message: expect.stringContaining('unstaked shares'),
    });
    const staking = await build<object>('buildStakeShares', 'ShareStakingInput', '', {
      vault,
      amount: { shares: '5000' },
    });
    expect(staking.preview.warnings).toContainEqual({ code: 'BALANCE_TOO_LOW', level: 'ERROR' });
  });
});

describe('an elevation group', () => {
  interface Terms {
    readonly elevationGroup: Change;
    readonly maxLtv: Change;
    readonly liquidationLtv: Change;
    readonly healthFactor: Change;
    readonly borrowLimitUsd: Change;
  }

  const move = (group: number) =>
    build<Terms>(
      'buildRequestElevationGroup',
      'RequestElevationGroupInput',
      'elevationGroup { before after } maxLtv { before after } liquidationLtv { before after } healthFactor { before after } borrowLimitUsd { before after }',
      { market: world.localnet.addresses.market, group },
    );

  const read = async () => {
    const { data } = await world.gateway.query<{
      obligation: { elevationGroup: { number: number } | null; maxLtv: string };
    }>(`{ obligation(address: "${actor.obligation}") { elevationGroup { number } maxLtv } }`, { headers });
    return data.obligation;
  };

  it('takes an obligation in and lets it out, as previewed', async () => {
    const { world: model } = world.localnet.chain;
    const market = model.markets.find(({ address }) => address === world.localnet.addresses.market);
    const symbol = (name: string) =>
      market?.reserves.find(({ token }) => token.symbol === name) ?? expect.fail(`no ${name}`);
    const [collateral, debt] = [symbol('jitoSOL'), symbol('SOL')];
    await world.call('localnet_requestTokens', [
      actor.address,
      collateral.token.mint.address,
      10_000_000_000,
    ]);
    ({ headers } = await actor.act('LendingDeposit', '5', collateral.address));
    ({ headers } = await actor.act('LendingBorrow', '1', debt.address));
    const entered = await send(await move(1));
    expect(entered.elevationGroup).toEqual({ before: '0', after: '1' });
    expect(Number(entered.maxLtv.after)).toBeGreaterThan(Number(entered.maxLtv.before));
    expect(await read()).toEqual({ elevationGroup: { number: 1 }, maxLtv: entered.maxLtv.after });
    const left = await send(await move(0));
    expect(left.maxLtv).toEqual({ before: entered.maxLtv.after, after: entered.maxLtv.before });
    expect(await read()).toEqual({ elevationGroup: null, maxLtv: left.maxLtv.after });
    const again = await move(0);
    expect(again.preview.warnings).toContainEqual({ code: 'ELEVATION_GROUP_ACTIVE', level: 'ERROR' });
    expect(await move(33)).toMatchObject({ code: 'BUILD_REFUSED' });
  });
});
