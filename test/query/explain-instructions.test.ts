import { describedInstructions } from '@sluice/protocol/described-instructions';
import * as farmClosing from '@sluice/protocol/farms/closing-instructions';
import { ownerQueuedCollateralVault, withdrawTicket } from '@sluice/protocol/klend/addresses';
import * as obligations from '@sluice/protocol/klend/obligation-instructions';
import * as orders from '@sluice/protocol/klend/order-instructions';
import * as referrers from '@sluice/protocol/klend/referrer-instructions';
import * as upkeep from '@sluice/protocol/klend/reserve-upkeep-instructions';
import * as queue from '@sluice/protocol/klend/withdraw-queue-instructions';
import * as allocations from '@sluice/protocol/kvault/allocation-instructions';
import * as curators from '@sluice/protocol/kvault/curator-instructions';
import * as vaults from '@sluice/protocol/kvault/instructions';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsOf, named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import { Explainer, sentences } from '../support/explain/explainer.ts';

/** Instructions that the gateway never builds, as others send them. */

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const HASH = { blockhash: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', lastValidBlockHeight: 1n };
const STRANGER = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const ONE_SF = 1n << 60n;
/** In every role at once, so that the longest list of accounts fits. */
const ACCOUNT = named('account');

let world: ActingApp;
let explainer: Explainer;
beforeAll(async () => {
  world = await startActingApp();
  explainer = new Explainer(world, await world.newWallet({ [world.localnet.addresses.tokenMint]: 1n }));
});
afterAll(() => world?.stop());

interface Layout<N extends string, Args> {
  readonly accounts: Readonly<Record<N, unknown>>;
  encode(program: Address, accounts: Record<N, Address>, args: Args): Instruction;
}

/** The sentence about one instruction. Accounts are at the addresses of their names unless they are given. */
async function explained(instruction: Instruction) {
  return await explainer.explain(legacyTransaction(explainer.signer.address, HASH, [instruction]));
}

async function sentence(instruction: Instruction): Promise<string | undefined> {
  return sentences(await explained(instruction))[0];
}

function lending<N extends string, Args>(layout: Layout<N, Args>, args: Args, given: object = {}) {
  const { reserve, tokenMint } = world.localnet.addresses;
  const known: Partial<Record<string, Address>> = {
    reserve,
    borrowReserve: reserve,
    sourceBorrowReserve: reserve,
    sourceReserve: reserve,
    debtLiquidityMint: tokenMint,
    reserveLiquidityMint: tokenMint,
    ...given,
  };
  return layout.encode(klend, accountsOf(layout.accounts, known), args);
}

function vault<N extends string, Args>(layout: Layout<N, Args>, args: Args) {
  const { vault: vaultState, reserve, tokenMint } = world.localnet.addresses;
  const known: Partial<Record<string, Address>> = {
    vaultState,
    reserve,
    tokenMint,
    baseTokenMint: tokenMint,
  };
  return layout.encode(kvault, accountsOf(layout.accounts, known), args);
}

/** The same instruction with bytes after its fixed arguments. */
const followed = (instruction: Instruction, ...tail: readonly number[]): Instruction => ({
  ...instruction,
  data: Uint8Array.from([...(instruction.data ?? []), ...tail]),
});

describe('instructions of the lending program', () => {
  const noOrder = {
    remainingDebtAmount: 0n,
    maxBorrowRateBps: 0,
    minDebtTermSeconds: 0n,
    fillableUntilTimestamp: 0n,
    enableAutoRolloverOnFilledBorrows: false,
    minExpectedCurrentRemainingDebtAmount: 0n,
  };
  const leverageOrder = {
    index: 1,
    conditionThresholdSf: (ONE_SF * 3n) / 4n,
    opportunityParameterSf: 12n * ONE_SF,
    minExecutionBonusBps: 0,
    maxExecutionBonusBps: 0,
    conditionType: 1,
    opportunityType: 0,
    padding1: new Uint8Array(2),
    maxBorrowRateBps: 0,
    minDebtTermSeconds: 0,
    debtMintAddress: NO_ADDRESS,
    collateralMintAddress: NO_ADDRESS,
    padding2: [0n],
  };

  it('about the withdraw queue', async () => {
    const args = { collateralAmount: 2_500_000n, progressCallbackType: 0 };
    expect(await sentence(lending(queue.enqueueToWithdraw, args))).toMatch(
      /^Queue 2\.5 collateral tokens of the USDC reserve for withdrawal to /,
    );
    expect(await sentence(lending(queue.withdrawQueuedLiquidity, {}))).toMatch(
      /^Pay the first ticket in the withdraw queue of the USDC reserve to /,
    );
    const all = { ticketSequenceNumber: 7n, collateralAmountToCancel: (1n << 64n) - 1n };
    expect(await sentence(lending(queue.cancelWithdrawTicket, all))).toBe(
      'Cancel all of ticket 7 in the withdraw queue of the USDC reserve',
    );
    expect(await sentence(lending(queue.recoverInvalidTicketCollateral, { ticketSequenceNumber: 7n }))).toBe(
      'Return the collateral tokens of the unpayable ticket 7 in the withdraw queue of the USDC reserve',
    );
  });

  it('name the accounts of the withdraw queue', async () => {
    const { reserve } = world.localnet.addresses;
    const owner = explainer.signer.address;
    const { instructions } = await explained(
      lending(
        queue.cancelWithdrawTicket,
        { ticketSequenceNumber: 7n, collateralAmountToCancel: 1n },
        {
          owner,
          ownerQueuedCollateralVault: ownerQueuedCollateralVault(klend, reserve, owner).address,
          withdrawTicket: withdrawTicket(klend, reserve, 7n).address,
        },
      ),
    );
    const names = new Map(instructions[0]?.accounts.map(({ role, name }) => [role, name]));
    expect(names.get('ownerQueuedCollateralVault')).toBe('your queued collateral');
    expect(names.get('withdrawTicket')).toBe('your withdraw ticket');
  });

  it('about orders', async () => {
    const set = { ...noOrder, remainingDebtAmount: 1_500_000n, maxBorrowRateBps: 725 };
    expect(await sentence(lending(orders.setBorrowOrderV2, { ...set, orderIdx: 2 }))).toBe(
      'Set borrow order 2 of the obligation: borrow up to 1.5 USDC at 7.25% a year or less',
    );
    expect(await sentence(lending(orders.setBorrowOrderV1, { ...set, minDebtTermSeconds: 60n }))).toBe(
      'Set borrow order 0 of the obligation: borrow up to 1.5 USDC at 7.25% a year or less, for at least 60 seconds',
    );
    expect(await sentence(lending(orders.setBorrowOrderV1, noOrder))).toBe(
      'Cancel borrow order 0 of the obligation',
    );
    expect(await sentence(lending(orders.fillBorrowOrderV2, { orderIdx: 1 }))).toBe(
      'Fill borrow order 1 of the obligation from the USDC reserve',
    );
    expect(await sentence(lending(orders.setObligationOrder, leverageOrder))).toBe(
      'Set order 1 of the obligation: sell collateral to repay 12 base units of the debt when the loan-to-value is above 75%',
    );
    const all = { conditionType: 5, opportunityType: 1, opportunityParameterSf: (1n << 128n) - 1n };
    expect(await sentence(lending(orders.setObligationOrder, { ...leverageOrder, ...all }))).toBe(
      'Set order 1 of the obligation: sell collateral to repay all debt at any time',
    );
    const target = { conditionType: 2, opportunityType: 3, opportunityParameterSf: ONE_SF / 2n };
    expect(await sentence(lending(orders.setObligationOrder, { ...leverageOrder, ...target }))).toBe(
      'Set order 1 of the obligation: borrow for more collateral to raise the loan-to-value to 50% when the loan-to-value is below 75%',
    );
    expect(await sentence(lending(orders.setObligationOrder, { ...leverageOrder, conditionType: 0 }))).toBe(
      'Cancel order 1 of the obligation',
    );
  });

  it('about the terms of a debt', async () => {
    const setting = (mode: number, ...value: readonly number[]) =>
      followed(lending(obligations.updateObligationConfig, { mode, valueLength: value.length }), ...value);
    expect(await sentence(setting(0, 1))).toBe(
      'For the debt in the USDC reserve, allow the automatic rollover',
    );
    expect(await sentence(setting(1, 0x84, 0x03, 0, 0))).toBe(
      'For the debt in the USDC reserve, set the highest rate after a rollover to 9% a year',
    );
    expect(await sentence(setting(5, 3))).toBe(
      'For the debt in the USDC reserve, set the window for a rollover to 3 days',
    );
    // A value that is cut off cannot be read.
    const cut = lending(obligations.updateObligationConfig, { mode: 1, valueLength: 4 });
    expect(await sentence(cut)).toBe('Calls an unknown instruction of the Lending program');
    const { reserve } = world.localnet.addresses;
    expect(await sentence(lending(obligations.rolloverFixedTermBorrow, {}))).toMatch(
      /^Roll the debt in the USDC reserve over to the reserve /,
    );
    expect(
      await sentence(lending(obligations.rolloverFixedTermBorrow, {}, { targetBorrowReserve: reserve })),
    ).toBe('Start the term of the debt in the USDC reserve anew');
  });

  it('about ownership, with a warning', async () => {
    const offer = await explained(
      lending(obligations.initiateObligationOwnershipTransfer, { newOwner: STRANGER }),
    );
    expect(sentences(offer)).toEqual(['Offer the ownership of the obligation to 9WzD…AWWM']);
    expect(offer.warnings).toMatchObject([{ code: 'AUTHORITY_CHANGED', instructionIndex: 0 }]);
    expect(offer.warnings[0]?.message).toContain(STRANGER);
  });

  it('about reserves and referrers', async () => {
    expect(await sentence(lending(upkeep.topupReserveRewards, { amount: 4_000_000n }))).toBe(
      'Add 4 USDC to the rewards for deposits in the USDC reserve',
    );
    expect(await sentence(lending(upkeep.calculateCtokenExchangeRate, {}))).toBe(
      'Read the exchange rate of the USDC reserve',
    );
    const link = Buffer.from('friends');
    const registered = lending(referrers.initReferrerStateAndShortUrl, { shortUrlLength: link.length });
    expect(await sentence(followed(registered, ...link))).toBe('Register the referral link "friends"');
  });
});

describe('instructions of the vault program', () => {
  it('about deposits with a minimum', async () => {
    const args = { maxAmount: 5_000_000n, minSharesOut: 4_000_000n };
    expect(await sentence(vault(vaults.vaultDepositWithMinSharesOut, args))).toMatch(
      /^Deposit up to 5 USDC into .* for at least 4000000 base units of /,
    );
    expect(await sentence(vault(allocations.vaultInvestWithMaxAmount, { maxAmount: 5_000_000n }))).toMatch(
      /^Move up to 5 USDC between .* and the USDC reserve$/,
    );
  });

  it('about what a curator sets', async () => {
    const caps = { weight: 30n, cap: 900n, ctokenAllocationCap: 0n };
    expect(await sentence(vault(curators.updateReserveAllocationV2, caps))).toMatch(
      /^Set the weight of the USDC reserve in .* to 30 and its cap to 900 base units$/,
    );
    const entry = (number: number) =>
      followed(vault(curators.updateVaultConfig, { entry: number, dataLength: 8 }), ...new Uint8Array(8));
    expect(await sentence(entry(20))).toMatch(/^Change the deposit cap of /);
    expect(await sentence(entry(21))).toMatch(/^Change the permissioning authority of /);
  });
});

describe('every instruction with a layout', () => {
  it('has a sentence of its own', async () => {
    const known = describedInstructions(MAINNET_PROGRAMS);
    const unnamed: string[] = [];
    for (const program of [klend, kvault, farms]) {
      for (const { name, discriminator, accountNames, args } of known.get(program) ?? []) {
        const accounts = accountNames.map(
          (): AccountMeta => ({ address: ACCOUNT, role: AccountRole.READONLY }),
        );
        // Arguments of variable length have length 0.
        const data = new Uint8Array([...discriminator, ...new Uint8Array(args.size)]);
        const { instructions } = await explained({ programAddress: program, accounts, data });
        const [found] = instructions;
        if (found?.name !== name || found.summary.startsWith('Calls ')) unnamed.push(name);
      }
    }
    expect(unnamed).toEqual([]);
    expect(known.get(farms)).toContain(farmClosing.closeEmptyUserState);
  });
});
