import { lookupTableAddress, marketOwner } from '@sluice/localnet/world/markets';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { type Address, getBase64EncodedWireTransaction, type Instruction } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstructionBundle } from '../../docs/signing/call-builder.ts';
import { instructionsOf, transactionOf } from '../../docs/signing/from-bundle.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import {
  expectHad,
  expectLeft,
  expectSharesLeft,
  expectValueLeft,
  readObligation,
} from '../support/explain/effects.ts';
import { Explainer, sentences } from '../support/explain/explainer.ts';
import { deployRouter, routed } from '../support/explain/router-program.ts';
import { acceptsLiquidation } from '../support/lending/liquidation-trial.ts';
import { buildLeverage, sendSigned } from '../support/leverage/leverage-actor.ts';
import { given, swapWith } from '../support/leverage/maker-swap.ts';

/** Effects of transactions that change several positions, change those of others, or were not built here. */

const USDC = 1_000_000n;
const SOL = 1_000_000_000n;
const { klend, farms } = MAINNET_PROGRAMS;
const TABLE = lookupTableAddress(marketOwner('sluice'), 'Harbor Market');

let world: ActingApp;
let addresses: ActingApp['localnet']['addresses'];
let decimals: Record<Address, number>;
beforeAll(async () => {
  world = await startActingApp();
  ({ addresses } = world.localnet);
  decimals = { [addresses.reserve]: 6, [addresses.depositReserve]: 9, [addresses.stakedReserve]: 9 };
});
afterAll(() => world?.stop());

const explainerWith = async (tokens: Readonly<Record<Address, bigint>>) =>
  new Explainer(world, await world.newWallet(tokens));
const obligationOf = ({ signer }: Explainer) =>
  obligationAddress(klend, signer.address, addresses.market, VANILLA_OBLIGATION).address;
const lending = (explainer: Explainer, kind: 'Deposit' | 'Borrow', reserve: Address, tokens: string) =>
  explainer.build(`buildLending${kind}`, 'LendingActionInput', {
    market: addresses.market,
    reserve,
    amount: { tokens },
  });

/** The effects, of a transaction that works. */
async function effectsOf(explainer: Explainer, base64: string) {
  const explained = await explainer.explain(base64, 'effects');
  expect(explained.simulation?.success, explained.simulation?.logs.join('\n')).toBe(true);
  const { obligations, vaultPositions } = explained.effects ?? expect.fail('no effects');
  return { explained, obligations: obligations ?? [], vaultPositions: vaultPositions ?? [] };
}

describe('a leveraged position', () => {
  it('is opened and grows as the swap and the flash loan leave it', async () => {
    const { stakedMint: collateral, tokenMint: debt, stakedReserve, reserve, market } = addresses;
    const explainer = await explainerWith({ [collateral]: 3n * SOL });
    const maker = await world.newWallet({ [collateral]: 10n * SOL, [debt]: 10_000n * USDC });
    const wallet = explainer.signer.address;
    const key = { tag: 1, id: 0, seed1: collateral, seed2: debt };
    const address = obligationAddress(klend, wallet, market, key).address;
    const swap = (paid: bigint, received: bigint) => ({
      instructions: given(
        swapWith(maker.address, wallet, { mint: debt, amount: paid }, { mint: collateral, amount: received }),
      ),
      minOut: String(received),
      signers: [maker.address],
    });
    const built = async (input: object) => {
      const what = { wallet, market, collateralReserve: stakedReserve, debtReserve: reserve, ...input };
      const options = { lookupTables: [TABLE] };
      const plan = await buildLeverage(world, 'Multiply', { ...what, options }, explainer.headers);
      expect(plan.message).toBeUndefined();
      return plan.transactions[0]?.base64 ?? expect.fail('no transaction');
    };

    const open = await built({
      deposit: { tokens: '1' },
      borrow: { tokens: '150' },
      swap: swap(149_998_500n, 650_000_000n),
    });
    const opened = await effectsOf(explainer, open);
    expect(opened.obligations).toMatchObject([
      {
        address,
        ownerAddress: wallet,
        isOpened: true,
        deposits: [{ reserveAddress: stakedReserve, before: { amount: '0' } }],
        // 150 USDC and 1/10,000 of origination fee.
        borrows: [{ reserveAddress: reserve, before: { amount: '0' }, after: { baseUnits: '150015000' } }],
        liquidatable: { before: null, after: false },
      },
    ]);
    const { after } = await sendSigned(world, open, explainer.signer, maker);
    expectLeft(opened.obligations[0], after, decimals);

    const grow = await built({ borrow: { tokens: '20' }, swap: swap(19_990_000n, 80_000_000n) });
    const { obligations } = await effectsOf(explainer, grow);
    expectHad(obligations[0], await readObligation(explainer, address));
    const landed = await sendSigned(world, grow, explainer.signer, maker);
    expectLeft(obligations[0], landed.after, decimals);
  });
});

describe('a liquidation', () => {
  it('changes the obligation of the borrower, who does not sign', async () => {
    const borrower = await explainerWith({ [addresses.tokenMint]: 10_000n * USDC });
    await borrower.send(await lending(borrower, 'Deposit', addresses.reserve, '1000'));
    await borrower.send(await lending(borrower, 'Borrow', addresses.depositReserve, '3'));
    const { tokens } = await borrower.query<{ tokens: { nodes: readonly { price: { usd: string } }[] } }>(
      `{ tokens(filter: { mints: ["${WRAPPED_SOL_MINT}"] }) { nodes { price { usd } } } }`,
    );
    const address = obligationOf(borrower);
    const { healthFactor } = await readObligation(borrower, address);
    // The debt is in SOL: its price rises until the loan is just unhealthy.
    const usd = Number(tokens.nodes[0]?.price.usd) * Number(healthFactor) * 1.01;
    await world.call('localnet_setPrice', ['SOL', usd.toFixed(6)]);
    expect(acceptsLiquidation(world.localnet.chain, address)).toBe(true);

    const liquidator = await explainerWith({ [WRAPPED_SOL_MINT]: 10n * SOL });
    const liquidation = await liquidator.build('buildLiquidate', 'LiquidateInput', {
      obligation: address,
      repayReserve: addresses.depositReserve,
      withdrawReserve: addresses.reserve,
      amount: { tokens: '0.25' },
    });
    const { obligations, explained } = await effectsOf(liquidator, liquidation);
    expect(explained.signers.map((each) => each.address)).toEqual([liquidator.signer.address]);
    expect(obligations).toMatchObject([
      { address, ownerAddress: borrower.signer.address, isClosed: false, liquidatable: { before: true } },
    ]);
    expectHad(obligations[0], await readObligation(liquidator, address));
    expectLeft(obligations[0], (await liquidator.send(liquidation)).after, decimals);
    expect(obligations[0]?.liquidatable.after).toBe(acceptsLiquidation(world.localnet.chain, address));
  });
});

describe('a transaction of somebody else', () => {
  const bundleOf = (path: string, body: object, headers: Readonly<Record<string, string>>) =>
    world.post<InstructionBundle>(`/ktx/${path}-instructions`, body, headers);
  const lifetime = async () => (await world.rpc.getLatestBlockhash().send()).value;
  const isOf = (program: Address) => (each: Instruction) => each.programAddress === program;

  it('has the effects of what an unknown program calls', async () => {
    const router = deployRouter(world);
    try {
      const explainer = await explainerWith({ [addresses.tokenMint]: 1_000n * USDC });
      const wallet = explainer.signer.address;
      await explainer.send(await lending(explainer, 'Deposit', addresses.reserve, '5'));
      const deposit = { wallet, market: addresses.market, reserve: addresses.reserve, amount: '20.5' };
      const lend = await bundleOf('klend/deposit', deposit, explainer.headers);
      const instructions = instructionsOf(lend);
      const last = instructions.findLastIndex(isOf(klend));
      // The lending program sees the refreshes before it and is called by the router.
      const base64 = legacyTransaction(
        wallet,
        await lifetime(),
        instructions.map((each, i) => (i === last ? routed(each) : each)),
      );
      const { explained, obligations } = await effectsOf(explainer, base64);
      expect(explained.unknown.programs).toEqual([router.address]);
      expect(sentences(explained)).toContain('Calls an unknown program');
      expect(sentences(explained).filter((each) => each.startsWith('Deposit'))).toEqual([]);
      expectHad(obligations[0], await readObligation(explainer, obligationOf(explainer)));
      const { before, after } = obligations[0]?.deposits[0] ?? expect.fail('no deposit');
      const change = BigInt(after?.baseUnits ?? 0) - BigInt(before?.baseUnits ?? 0);
      // Rounding to whole collateral tokens loses a unit at most.
      expect([20_500_000n, 20_499_999n, 20_499_998n]).toContain(change);
      expectLeft(obligations[0], (await explainer.send(base64)).after, decimals);
    } finally {
      router.remove();
    }
  });

  it('may name its accounts by a lookup table', async () => {
    const explainer = await explainerWith({ [addresses.tokenMint]: 1_000n * USDC });
    const wallet = explainer.signer.address;
    const common = { wallet, options: { lookupTables: [TABLE] } };
    const lend = await bundleOf(
      'klend/deposit',
      { ...common, market: addresses.market, reserve: addresses.reserve, amount: '33.3' },
      explainer.headers,
    );
    const save = await bundleOf(
      'kvault/deposit',
      { ...common, kvault: addresses.vault, amount: '44.4' },
      explainer.headers,
    );
    const both: InstructionBundle = {
      instructions: [...lend.instructions, ...save.instructions],
      lutsByAddress: { ...lend.lutsByAddress, ...save.lutsByAddress },
    };
    expect(Object.keys(both.lutsByAddress).length).toBeGreaterThan(0);
    const budget = { units: 1_400_000, microLamportsPerUnit: 0n };
    const base64 = getBase64EncodedWireTransaction(transactionOf(both, wallet, await lifetime(), budget));
    const { explained, obligations, vaultPositions } = await effectsOf(explainer, base64);
    const tables = explained.instructions.flatMap(({ accounts }) =>
      accounts.flatMap(({ lookupTable }) => lookupTable ?? []),
    );
    expect(new Set(tables)).toEqual(new Set(Object.keys(both.lutsByAddress)));
    expect([obligations.length, vaultPositions.length]).toEqual([1, 1]);
    const { after } = await explainer.send(base64);
    expectLeft(obligations[0], after, decimals);
    expectSharesLeft(
      vaultPositions[0],
      after,
      [associatedTokenAddress(wallet, TOKEN_PROGRAM, addresses.sharesMint).address],
      farmUserState(farms, addresses.farm, wallet).address,
    );
    expectValueLeft(vaultPositions[0], after);
  });
});
