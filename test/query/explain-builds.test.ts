import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction, signWithKey } from '../../docs/signing/with-kit.ts';
import { type ActingApp, signerOf, startActingApp } from '../support/apps/acting-app.ts';
import { queueReserve } from '../support/apps/queued-wallet.ts';
import { type Explained, Explainer, sentences } from '../support/explain/explainer.ts';
import { ticketAt } from '../support/localnet/queue-calls.ts';

const USDC = 1_000_000n;
const STRANGER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' as Address;

let world: ActingApp;
let explainer: Explainer;
beforeAll(async () => {
  world = await startActingApp();
  const { tokenMint } = world.localnet.addresses;
  explainer = new Explainer(world, await world.newWallet({ [tokenMint]: 10_000n * USDC }));
});
afterAll(() => world?.stop());

/** Every account is named, nothing is unknown and nothing is suspicious. */
function expectWholly({ instructions, unknown, warnings }: Explained): void {
  const unnamed = instructions.flatMap(({ name, accounts }) =>
    accounts.filter((each) => each.name === null || each.role === null).map((each) => [name, each]),
  );
  expect(unnamed).toEqual([]);
  expect(instructions.filter(({ isKnown, name }) => !isKnown || name === null)).toEqual([]);
  expect(unknown).toEqual({ programs: [], writableAccounts: [] });
  expect(warnings).toEqual([]);
}

describe('transactions of the builders', () => {
  const lending = (reserve: Address, tokens: string | null) => ({
    market: world.localnet.addresses.market,
    reserve,
    amount: tokens === null ? { all: 'ALL' } : { tokens },
  });
  async function explainAndSend(base64: string, sentence: string | RegExp): Promise<Explained> {
    const explained = await explainer.explain(base64);
    expectWholly(explained);
    expect(sentences(explained)).toContainEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
    await explainer.send(base64);
    return explained;
  }

  it('are explained without a gap', async () => {
    const { vault, reserve, depositReserve } = world.localnet.addresses;
    await explainAndSend(
      await explainer.build('buildVaultDeposit', 'VaultDepositInput', { vault, amount: { tokens: '12.5' } }),
      /^Deposit up to 12\.5 USDC into /,
    );
    await explainAndSend(
      await explainer.build('buildUnstakeShares', 'ShareStakingInput', { vault, amount: { shares: '2.25' } }),
      /^Unstake 2\.25 \S+ from farm of /,
    );
    await explainAndSend(
      await explainer.build('buildStakeShares', 'ShareStakingInput', { vault, amount: { shares: '1.5' } }),
      /^Stake 1\.5 \S+ in farm of /,
    );
    await explainAndSend(
      await explainer.build('buildVaultWithdraw', 'VaultWithdrawInput', { vault, amount: { shares: '1' } }),
      /^Withdraw 1 \S+ from /,
    );
    const deposit = await explainAndSend(
      await explainer.build('buildLendingDeposit', 'LendingActionInput', lending(reserve, '500.25')),
      'Deposit 500.25 USDC as collateral',
    );
    const action = deposit.instructions.find(({ summary }) => summary.startsWith('Deposit 500.25'));
    const names = new Map(action?.accounts.map(({ role, name }) => [role, name]));
    expect(names.get('owner')).toBe('your wallet');
    expect(names.get('obligation')).toBe('your obligation');
    expect(names.get('reserve')).toBe('USDC reserve');
    expect(names.get('reserveLiquidityMint')).toBe('USDC');
    expect(names.get('userSourceLiquidity')).toBe('your USDC account');
    expect(names.get('placeholderUserDestinationCollateral')).toBe('not given');
    expect(action?.arguments).toEqual([{ name: 'liquidityAmount', value: '500250000' }]);
    await explainAndSend(
      await explainer.build('buildLendingBorrow', 'LendingActionInput', lending(depositReserve, '0.5')),
      'Borrow 0.5 SOL',
    );
    await explainAndSend(
      await explainer.build('buildLendingRepay', 'LendingActionInput', lending(depositReserve, null)),
      'Repay all debt of SOL',
    );
    await explainAndSend(
      await explainer.build('buildLendingWithdraw', 'LendingActionInput', lending(reserve, null)),
      'Withdraw all of the deposit in the USDC reserve',
    );
  });

  it('that claim rewards or ask for an elevation group are explained without a gap', async () => {
    const { address: wallet } = await signerOf([...world.localnet.secretKey]);
    const claims = await explainer.plan('buildClaimRewards', 'ClaimRewardsInput', { wallet });
    expect(claims.transactions).not.toEqual([]);
    for (const { base64 } of claims.transactions) {
      const claim = await explainer.explain(base64);
      expectWholly(claim);
      expect(sentences(claim)).toContainEqual(expect.stringMatching(/^Claim the \S+ rewards of /));
    }
    const { market, reserve } = world.localnet.addresses;
    const deposit = await explainer.build('buildLendingDeposit', 'LendingActionInput', lending(reserve, '3'));
    await explainer.send(deposit);
    const request = { market, group: 1 };
    const group = await explainer.explain(
      await explainer.build('buildRequestElevationGroup', 'RequestElevationGroupInput', request),
    );
    expectWholly(group);
    expect(sentences(group)).toContain('Move the obligation to elevation group 1');
  });

  it('on a withdraw queue are explained without a gap', async () => {
    const { market, reserve } = world.localnet.addresses;
    const place = { market, reserve };
    await explainer.send(
      await explainer.build('buildLendingDeposit', 'LendingActionInput', lending(reserve, '400')),
    );
    const { withdrawQueue } = queueReserve(world, reserve).data;
    const ticket = ticketAt(queueReserve(world, reserve), withdrawQueue.nextIssuedTicketSequenceNumber);
    const entry = { ...place, amount: { tokens: '250' }, obligation: { tagged: { tag: 'VANILLA' } } };
    const queued = await explainAndSend(
      await explainer.build('buildEnqueueWithdraw', 'EnqueueWithdrawInput', entry),
      /^Queue [\d.]+ collateral tokens of the USDC reserve for withdrawal to your USDC account$/,
    );
    const names = queued.instructions.flatMap(({ accounts }) => accounts.map(({ name }) => name));
    expect(names).toContain('your withdraw ticket');
    const cancelling = { ticket, amount: { tokens: '50' } };
    await explainAndSend(
      await explainer.build('buildCancelWithdrawTicket', 'CancelWithdrawTicketInput', cancelling),
      /^Cancel [\d.]+ collateral tokens of ticket \d+ in the withdraw queue of the USDC reserve$/,
    );
    await explainAndSend(
      await explainer.build('buildWithdrawQueued', 'WithdrawQueuedInput', place),
      'Pay the first ticket in the withdraw queue of the USDC reserve to your USDC account',
    );
  });

  it('that another signer pays address the wallet that is named', async () => {
    const sponsor = await world.newWallet({});
    const base64 = await explainer.build('buildLendingDeposit', 'LendingActionInput', {
      ...lending(world.localnet.addresses.reserve, '1'),
      options: { feePayer: sponsor.address, memo: 'order 7', tip: { account: STRANGER, lamports: '5000' } },
    });
    const explained = await explainer.explain(base64, 'words', explainer.signer.address);
    expect(explained.feePayer).toBe(sponsor.address);
    expect(explained.signers.map((each) => each.address)).toEqual([
      sponsor.address,
      explainer.signer.address,
    ]);
    expect(sentences(explained)).toEqual(
      expect.arrayContaining(['Log the memo "order 7"', 'Transfer 0.000005 SOL to 9WzD…AWWM']),
    );
    const named = explained.instructions.flatMap(({ accounts }) => accounts);
    const nameOf = (at: Address) => named.find((each) => each.address === at)?.name;
    const { address: usdc } = associatedTokenAddress(
      explainer.signer.address,
      TOKEN_PROGRAM,
      world.localnet.addresses.tokenMint,
    );
    expect([nameOf(explainer.signer.address), nameOf(usdc)]).toEqual(['your wallet', 'your USDC account']);
    expect(explained.warnings.map(({ code }) => code)).toEqual(['SOL_TO_OTHER']);
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [STRANGER] });
  });

  it('have their fee, size, lifetime and signatures', async () => {
    const input = {
      ...lending(world.localnet.addresses.reserve, '1'),
      options: { computeUnitLimit: 400_001, priorityFeeMicroLamports: '1000' },
    };
    const base64 = await explainer.build('buildLendingDeposit', 'LendingActionInput', input);
    const explained = await explainer.explain(base64, 'simulation');
    expect(explained).toMatchObject({
      version: '0',
      feePayer: explainer.signer.address,
      signers: [{ address: explainer.signer.address, hasSigned: false }],
      lifetime: { kind: 'BLOCKHASH', nonceAccount: null },
      sizeBytes: Buffer.from(base64, 'base64').length,
      computeUnitLimit: 400_001,
      computeUnitPrice: '1000',
      // 5000, and 400.001 lamports rounded up.
      networkFeeLamports: '5401',
      simulation: { success: true, error: null },
    });
    const signed = await signWithKey(decodeTransaction(base64), explainer.signer);
    expect((await explainer.explain(signed)).signers).toEqual([
      { address: explainer.signer.address, hasSigned: true },
    ]);
    const forged = Buffer.from(signed, 'base64');
    forged[10] = (forged[10] ?? 0) ^ 1;
    expect((await explainer.explain(forged.toString('base64'))).signers[0]?.hasSigned).toBe(false);
  });

  it('change the balances as the simulation says, to the base unit', async () => {
    const { reserve, tokenMint } = world.localnet.addresses;
    const plan = await explainer.plan('buildLendingDeposit', 'LendingActionInput', lending(reserve, '1'));
    const [planned] = plan.transactions;
    const base64 = planned?.base64 ?? expect.fail('no transaction');
    const { simulation } = await explainer.explain(base64, 'simulation');
    const changes = new Map(simulation?.balanceChanges.map((each) => [each.change.token.mint, each]));
    const [usdc, sol] = [changes.get(tokenMint), changes.get(WRAPPED_SOL_MINT)];
    // The reserve takes what whole collateral tokens are worth, rounded up: one unit less than offered at some rates. The rate
    // depends on the time at which the world starts. The builder knows it, and so does the chain.
    expect(plan.simulation.balanceChanges).toContainEqual(usdc);
    const wallet = explainer.signer.address;
    const before = await world.tokens(wallet, tokenMint);
    await explainer.send(base64);
    const after = await world.tokens(wallet, tokenMint);
    expect(usdc?.change.baseUnits).toBe(String(after - before));
    expect(usdc?.after.baseUnits).toBe(String(after));
    expect(sol?.after.baseUnits).toBe(String((await world.rpc.getBalance(wallet).send()).value));
  });

  it('that a wallet signs but does not pay leave its SOL as it is', async () => {
    const { reserve, tokenMint } = world.localnet.addresses;
    const sponsor = await world.newWallet({});
    const input = { ...lending(reserve, '1'), options: { feePayer: sponsor.address } };
    const base64 = await explainer.build('buildLendingDeposit', 'LendingActionInput', input);
    const { simulation } = await explainer.explain(base64, 'simulation', explainer.signer.address);
    expect(simulation?.balanceChanges.map(({ change }) => change.token.mint)).toEqual([tokenMint]);
    const stranger = await explainer.explain(base64, 'simulation', STRANGER);
    expect(stranger.simulation).toMatchObject({ success: true, balanceChanges: [] });
  });

  it('quote the names of accounts as they are', async () => {
    const { market, reserve, vault } = world.localnet.addresses;
    const names = await explainer.query<{ market: { name: string }; vault: { name: string } }>(
      `{ market(address: "${market}") { name } vault(address: "${vault}") { name } }`,
    );
    const lend = await explainer.build('buildLendingDeposit', 'LendingActionInput', lending(reserve, '1'));
    const save = await explainer.build('buildVaultDeposit', 'VaultDepositInput', {
      vault,
      amount: { tokens: '1' },
    });
    const nameIn = async (base64: string, at: Address) =>
      (await explainer.explain(base64)).instructions
        .flatMap(({ accounts }) => accounts)
        .find(({ address }) => address === at)?.name;
    expect(names.market.name).toBe('Harbor Market');
    expect(await nameIn(lend, market)).toBe(names.market.name);
    expect(await nameIn(save, vault)).toBe(names.vault.name);
  });
});
