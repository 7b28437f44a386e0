import { farmUserState } from '@sluice/protocol/farms/addresses';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { transfer } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import {
  expectHad,
  expectLeft,
  expectSharesHad,
  expectSharesLeft,
  expectValueLeft,
  readObligation,
} from '../support/explain/effects.ts';
import { Explainer } from '../support/explain/explainer.ts';

/**
 * Effects of transactions that the builders make. The chain is frozen, so a transaction that is sent runs in the slot of its
 * simulation, and the accounts that it leaves are compared to the base unit.
 */

const USDC = 1_000_000n;
const { klend, farms } = MAINNET_PROGRAMS;

let world: ActingApp;
let addresses: ActingApp['localnet']['addresses'];
let decimals: Record<Address, number>;
let explainer: Explainer;
beforeAll(async () => {
  world = await startActingApp();
  ({ addresses } = world.localnet);
  decimals = { [addresses.reserve]: 6, [addresses.depositReserve]: 9 };
});
afterAll(() => world?.stop());
beforeEach(async () => {
  explainer = new Explainer(world, await world.newWallet({ [addresses.tokenMint]: 10_000n * USDC }));
});

const wallet = () => explainer.signer.address;
const obligation = () => obligationAddress(klend, wallet(), addresses.market, VANILLA_OBLIGATION).address;
const sharesOf = (owner: Address) =>
  associatedTokenAddress(owner, TOKEN_PROGRAM, addresses.sharesMint).address;
const stakeOf = (owner: Address) => farmUserState(farms, addresses.farm, owner).address;

const lending = (kind: 'Deposit' | 'Borrow' | 'Repay' | 'Withdraw', reserve: Address, tokens?: string) =>
  explainer.build(`buildLending${kind}`, 'LendingActionInput', {
    market: addresses.market,
    reserve,
    amount: tokens === undefined ? { all: 'ALL' } : { tokens },
  });
const vault = (kind: 'Deposit' | 'Withdraw', amount: object) =>
  explainer.build(`buildVault${kind}`, `Vault${kind}Input`, { vault: addresses.vault, amount });

/**
 * Effects of a transaction that works. One simulation and one batch of reads, after one of the lookup tables.
 *
 * @param others batches of accounts that the first one could not foresee
 */
async function effectsOf(base64: string, others = 0) {
  const { effects, simulation, instructions } = await explainer.explain(base64, 'effects');
  const hasTables = instructions.some(({ accounts }) => accounts.some((each) => each.lookupTable !== null));
  expect(simulation?.success, simulation?.logs.join('\n')).toBe(true);
  expect(explainer.rpcRequests).toBe((hasTables ? 3 : 2) + others);
  const { obligations, vaultPositions, error, slot } = effects ?? expect.fail('no effects');
  expect([error, slot]).toEqual([null, String(world.localnet.chain.slot)]);
  return { obligations: obligations ?? [], vaultPositions: vaultPositions ?? [] };
}

describe('the effects on an obligation', () => {
  it('tell that it is opened, what it then has and owes, and that it is closed', async () => {
    const deposit = await lending('Deposit', addresses.reserve, '500.000003');
    const { obligations, vaultPositions } = await effectsOf(deposit);
    expect(vaultPositions).toEqual([]);
    expect(obligations).toMatchObject([
      {
        address: obligation(),
        ownerAddress: wallet(),
        isOpened: true,
        deposits: [{ reserveAddress: addresses.reserve, before: { amount: '0', usd: '0' } }],
        borrows: [],
        loanToValue: { before: null, after: '0' },
        healthFactor: { before: null, after: null },
        liquidatable: { before: null, after: false },
        unknown: null,
      },
    ]);
    expectLeft(obligations[0], (await explainer.send(deposit)).after, decimals);

    const borrow = await lending('Borrow', addresses.depositReserve, '0.5');
    const [borrowed] = (await effectsOf(borrow)).obligations;
    expectHad(borrowed, await readObligation(explainer, obligation()));
    expect(borrowed?.borrows).toMatchObject([{ before: { baseUnits: '0' } }]);
    // The borrow only refreshes the deposit.
    expect(borrowed?.deposits[0]?.before).toEqual(borrowed?.deposits[0]?.after);
    expectLeft(borrowed, (await explainer.send(borrow)).after, decimals);

    const repay = await lending('Repay', addresses.depositReserve);
    const [repaid] = (await effectsOf(repay)).obligations;
    expectHad(repaid, await readObligation(explainer, obligation()));
    expect(repaid?.borrows).toMatchObject([{ after: { baseUnits: '0', usd: '0' } }]);
    expectLeft(repaid, (await explainer.send(repay)).after, decimals);

    const withdraw = await lending('Withdraw', addresses.reserve);
    const [withdrawn] = (await effectsOf(withdraw)).obligations;
    expectHad(withdrawn, await readObligation(explainer, obligation()));
    expect(withdrawn).toMatchObject({
      isClosed: true,
      deposits: [{ reserveAddress: addresses.reserve, after: { amount: '0' } }],
      loanToValue: { after: null },
      netValueUsd: { after: null },
      liquidatable: { before: false, after: null },
    });
    await explainer.send(withdraw);
    expect(world.localnet.chain.account(obligation())).toBeUndefined();
  });

  it('start from the chain, not from the older View', async () => {
    const stale = { 'x-view': world.gateway.app.chain.views.current().moment.id };
    await explainer.send(await lending('Deposit', addresses.reserve, '800'));
    const more = await lending('Deposit', addresses.reserve, '200');
    const fresh = (await effectsOf(more)).obligations;
    const { data } = await world.gateway.query<{ explained: { effects: { obligations: unknown } } }>(
      `query ($transaction: Base64!) { explained: explainTransaction(transaction: $transaction) {
        ... on TransactionExplanation { effects { obligations { address deposits { before { amount } after { amount } } } } } } }`,
      { variables: { transaction: more }, headers: stale },
    );
    expect(fresh).toMatchObject(data.explained.effects.obligations as object[]);
  });
});

describe('the effects on a vault position', () => {
  it('tell shares in the wallet, shares in the farm and their value', async () => {
    const deposit = await vault('Deposit', { tokens: '1234.567891' });
    const [opened] = (await effectsOf(deposit)).vaultPositions;
    expect(opened).toMatchObject({
      vaultAddress: addresses.vault,
      ownerAddress: wallet(),
      isOpened: true,
      isClosed: false,
      totalShares: { before: '0' },
      value: { before: { amount: '0' } },
      unknown: null,
    });
    const held = [sharesOf(wallet())];
    const { after } = await explainer.send(deposit);
    expectSharesLeft(opened, after, held, stakeOf(wallet()));
    expectValueLeft(opened, after);

    const input = { vault: addresses.vault, amount: { shares: '100.25' } };
    const unstake = await explainer.build('buildUnstakeShares', 'ShareStakingInput', input);
    const [unstaked] = (await effectsOf(unstake)).vaultPositions;
    await expectSharesHad(unstaked, explainer);
    expect(unstaked?.unstakedShares).toEqual({ before: '0', after: '100.25' });
    expect(unstaked?.totalShares.after).toBe(unstaked?.totalShares.before);
    expect(unstaked?.value.after).toEqual(unstaked?.value.before);
    expectSharesLeft(unstaked, (await explainer.send(unstake)).after, held, stakeOf(wallet()));

    const some = await vault('Withdraw', { shares: '7.5' });
    const [smaller] = (await effectsOf(some)).vaultPositions;
    await expectSharesHad(smaller, explainer);
    const landed = await explainer.send(some);
    expectSharesLeft(smaller, landed.after, held, stakeOf(wallet()));
    expectValueLeft(smaller, landed.after);

    const withdraw = await vault('Withdraw', { all: 'ALL' });
    const { vaultPositions, obligations } = await effectsOf(withdraw);
    expect(obligations).toEqual([]);
    await expectSharesHad(vaultPositions[0], explainer);
    expect(vaultPositions).toMatchObject([
      { isOpened: false, isClosed: true, totalShares: { after: '0' }, value: { after: { amount: '0' } } },
    ]);
    await explainer.send(withdraw);
    expect(await world.tokens(wallet(), addresses.sharesMint)).toBe(0n);
  });

  it('count shares in the farm that a transfer of others does not name, for both wallets', async () => {
    await explainer.send(await vault('Deposit', { tokens: '300' }));
    const input = { vault: addresses.vault, amount: { shares: '50' } };
    await explainer.send(await explainer.build('buildUnstakeShares', 'ShareStakingInput', input));
    const other = new Explainer(world, await world.newWallet({ [addresses.tokenMint]: 100n * USDC }));
    await other.send(
      await other.build('buildVaultDeposit', 'VaultDepositInput', {
        vault: addresses.vault,
        amount: { tokens: '20' },
      }),
    );
    const [source, destination] = [sharesOf(wallet()), sharesOf(other.signer.address)];
    const { value: lifetime } = await world.rpc.getLatestBlockhash().send();
    const accounts = { source, destination, owner: wallet() };
    const move = transfer.encode(TOKEN_PROGRAM, accounts, { amount: 12_500_000n });
    const base64 = legacyTransaction(wallet(), lifetime, [move]);
    const [mine, theirs] = (await effectsOf(base64, 1)).vaultPositions;
    await expectSharesHad(mine, explainer);
    await expectSharesHad(theirs, explainer);
    expect(mine?.unstakedShares).toEqual({ before: '50', after: '37.5' });
    expect(theirs).toMatchObject({
      ownerAddress: other.signer.address,
      unstakedShares: { before: '0', after: '12.5' },
    });
    const { after } = await explainer.send(base64);
    expect(after.get(stakeOf(wallet()))).toBeDefined();
    expectSharesLeft(mine, after, [source], stakeOf(wallet()));
    expectSharesLeft(theirs, after, [destination], stakeOf(other.signer.address));
  });
});

describe('the effects of a plan', () => {
  it('are those of all its actions', async () => {
    const common = { wallet: wallet(), market: addresses.market };
    const actions = [
      { vaultDeposit: { wallet: wallet(), vault: addresses.vault, amount: { tokens: '250' } } },
      { lendingDeposit: { ...common, reserve: addresses.reserve, amount: { tokens: '600' } } },
      { lendingBorrow: { ...common, reserve: addresses.depositReserve, amount: { tokens: '0.75' } } },
    ];
    const { markets } = world.localnet.catalogue as {
      markets: readonly { readonly lendingMarket: Address; readonly lookupTable: Address }[];
    };
    const lookupTables = markets
      .filter(({ lendingMarket }) => lendingMarket === addresses.market)
      .map(({ lookupTable }) => lookupTable);
    const { data } = await world.gateway.query<{ plan: { transactions: readonly { base64: string }[] } }>(
      `mutation ($actions: [BuildAction!]!, $options: BuildOptions) {
        plan: buildPlan(actions: $actions, options: $options) {
          ... on BuildError { code message } ... on TransactionPlan { transactions { base64 } } } }`,
      { variables: { actions, options: { lookupTables } }, headers: explainer.headers },
    );
    const seen = { obligations: 0, vaultPositions: 0 };
    for (const { base64 } of data.plan.transactions) {
      const { obligations, vaultPositions } = await effectsOf(base64);
      const { after } = await explainer.send(base64);
      seen.obligations += obligations.length;
      seen.vaultPositions += vaultPositions.length;
      for (const each of obligations) expectLeft(each, after, decimals);
      for (const each of vaultPositions) {
        expectSharesLeft(each, after, [sharesOf(wallet())], stakeOf(wallet()));
        expectValueLeft(each, after);
      }
    }
    expect(seen.obligations).toBeGreaterThan(0);
    expect(seen.vaultPositions).toBeGreaterThan(0);
    const { borrows } = await readObligation(explainer, obligation());
    expect(borrows).toMatchObject([{ reserveAddress: addresses.depositReserve }]);
  });
});

describe('a simulation that fails', () => {
  it("has no effects but the program's error", async () => {
    await explainer.send(await lending('Deposit', addresses.reserve, '10'));
    const input = {
      market: addresses.market,
      reserve: addresses.depositReserve,
      amount: { tokens: '50' },
      options: { strict: false },
    };
    const { effects, simulation } = await explainer.explain(
      await explainer.build('buildLendingBorrow', 'LendingActionInput', input),
      'effects',
    );
    expect(simulation).toMatchObject({ success: false, error: { name: 'BorrowTooLarge' } });
    expect(effects).toMatchObject({
      obligations: null,
      vaultPositions: null,
      error: { name: 'BorrowTooLarge', message: expect.stringMatching(/\w/) },
    });
  });
});
