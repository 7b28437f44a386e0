import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { decodeTokenAccount, encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount } from '../support/apps/plan-actor.ts';
import { collateralHeld, queueReserve } from '../support/apps/queued-wallet.ts';
import { sendInstructions } from '../support/apps/system-transactions.ts';
import { cancelCall, ticketAt } from '../support/localnet/queue-calls.ts';

/** Exits from a vault whose only reserve has lent everything: what waits in the queue, and what is paid at once. */

const { kvault } = MAINNET_PROGRAMS;
const VAULT = 'Keel Euro';
const WHOLE = 1_000_000n;
const DEPOSIT = 1_000n * WHOLE;

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string }[];
  readonly steps: readonly { readonly kind: string }[];
  readonly preview: {
    readonly shares: { readonly before: string; readonly after: string };
    readonly warnings: readonly { readonly code: string; readonly level: string }[];
  };
  readonly simulation: { readonly success: boolean; readonly logs: readonly string[] };
}

let world: ActingApp;
let vault: Address;
let mint: Address;
let reserve: Address;
beforeAll(async () => {
  world = await startActingApp({ recorder: true });
  const found = world.localnet.chain.world.vaults.find(({ name }) => name === VAULT);
  if (found === undefined) throw new RangeError(`no vault ${VAULT}`);
  vault = found.address;
  mint = found.token.mint.address;
  reserve = found.allocations[0]?.reserve.address ?? expect.fail('no reserve');
});
afterAll(() => world?.stop());

const stateOf = () => vaultState.decode(accountIn(world.localnet.chain, vault), kvault);
const newest = async () => ({ 'x-min-slot': String(await world.rpc.getSlot().send()) });

async function build(mutation: string, type: string, input: object): Promise<Plan> {
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(
    `mutation ($input: ${type}!) { plan: ${mutation}(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 }
        steps { kind }
        preview { shares { before after } warnings { code level } }
        simulation { success logs }
      }
    } }`,
    { variables: { input }, headers: await newest() },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

async function send(plan: Plan, signer: KeyPairSigner): Promise<void> {
  expect(plan).toMatchObject({ __typename: 'TransactionPlan' });
  for (const { base64 } of plan.transactions) await world.send('RPC', base64, signer);
}

/** A wallet with shares, after a crank has lent the vault's idle tokens. */
async function depositor(): Promise<KeyPairSigner> {
  const signer = await world.newWallet({ [mint]: DEPOSIT });
  const { address: wallet } = signer;
  const amount = { tokens: String(DEPOSIT / WHOLE) };
  await send(await build('buildVaultDeposit', 'VaultDepositInput', { wallet, vault, amount }), signer);
  return signer;
}

/** All liquidity of the reserve is lent, and so are the vault's idle tokens. */
function lendAll(): void {
  const { data } = queueReserve(world, reserve);
  const { totalAvailableAmount: available, borrowedAmountSf } = data.liquidity;
  const left = WHOLE / 2n;
  alterAccount(world, reserveLayout, reserve, {
    liquidity: {
      totalAvailableAmount: left,
      borrowedAmountSf: borrowedAmountSf + (available - left) * FRACTION_ONE,
    },
  });
  const supply = decodeTokenAccount(accountIn(world.localnet.chain, data.liquidity.supplyVault));
  setTokens(data.liquidity.supplyVault, supply.amount - (available - left));
  const { tokenAvailable, vaultAllocationStrategy, tokenVault } = stateOf();
  const [allocation] = vaultAllocationStrategy;
  if (allocation === undefined) throw new RangeError('no allocation');
  // The vault gets collateral tokens for its idle tokens, at the present price.
  const idleLeft = 2n * WHOLE;
  const lent = tokenAvailable - idleLeft;
  const { mintTotalSupply } = data.collateral;
  const suppliedSf = available * FRACTION_ONE + borrowedAmountSf - data.liquidity.accumulatedProtocolFeesSf;
  const minted = (lent * FRACTION_ONE * mintTotalSupply) / suppliedSf;
  alterAccount(world, reserveLayout, reserve, {
    liquidity: {
      borrowedAmountSf: borrowedAmountSf + (available - left + lent) * FRACTION_ONE,
    },
    collateral: { mintTotalSupply: mintTotalSupply + minted },
  });
  alterAccount(world, vaultState, vault, {
    tokenAvailable: idleLeft,
    vaultAllocationStrategy: [{ ctokenAllocation: allocation.ctokenAllocation + minted }],
  });
  setTokens(tokenVault, idleLeft);
  setTokens(
    allocation.ctokenVault,
    decodeTokenAccount(accountIn(world.localnet.chain, allocation.ctokenVault)).amount + minted,
  );
}

function setTokens(address: Address, amount: bigint): void {
  const { chain } = world.localnet;
  const account = accountIn(chain, address);
  const data = encodeTokenAccount({ ...decodeTokenAccount(account), amount });
  chain.world.store.commit(new Map([[address, { ...account, data }]]));
}

describe('an exit from a vault', () => {
  it('is a withdrawal while the vault can pay', async () => {
    const signer = await depositor();
    const exit = await build('buildVaultExit', 'VaultExitInput', {
      wallet: signer.address,
      vault,
      amount: { all: 'ALL' },
    });
    expect(exit.steps.map(({ kind }) => kind)).toEqual(['VAULT_WITHDRAW']);
    await send(exit, signer);
    expect(await world.tokens(signer.address, mint)).toBeGreaterThan(DEPOSIT - WHOLE);
  });

  it('waits in the queue of a reserve that has lent everything', async () => {
    const signer = await depositor();
    const { address: wallet } = signer;
    lendAll();
    const { withdrawQueue } = queueReserve(world, reserve).data;
    const ahead = withdrawQueue.nextIssuedTicketSequenceNumber;
    const plain = await build('buildVaultWithdraw', 'VaultWithdrawInput', {
      wallet,
      vault,
      amount: { all: 'ALL' },
    });
    expect(plain.preview.warnings).toContainEqual({ code: 'LIQUIDITY_TOO_LOW', level: 'ERROR' });
    const exit = await build('buildVaultExit', 'VaultExitInput', { wallet, vault, amount: { all: 'ALL' } });
    expect(exit.simulation).toMatchObject({ success: true });
    expect(exit.steps.map(({ kind }) => kind).slice(-2)).toEqual([
      'VAULT_REDEEM_IN_KIND',
      'ENQUEUE_WITHDRAW',
    ]);
    await send(exit, signer);
    const { data } = await world.gateway.query<{
      wallet: {
        withdrawTickets: {
          nodes: readonly { sequenceNumber: string; state: string; amount: { amount: string } }[];
        };
        vaultPositions: { nodes: readonly unknown[] };
      };
    }>(
      `{ wallet(address: "${wallet}") {
        withdrawTickets { nodes { sequenceNumber state amount { amount } } }
        vaultPositions { nodes { totalShares } }
      } }`,
      { headers: await newest() },
    );
    const [ticket] = data.wallet.withdrawTickets.nodes;
    expect(ticket).toMatchObject({ sequenceNumber: String(ahead), state: 'QUEUED' });
    const paid = Number(await world.tokens(wallet, mint)) / Number(WHOLE);
    const waiting = Number(ticket?.amount.amount);
    expect(paid + waiting).toBeGreaterThan(0.999 * Number(DEPOSIT / WHOLE));
    expect(paid + waiting).toBeLessThan(1.001 * Number(DEPOSIT / WHOLE));
    expect(data.wallet.vaultPositions.nodes).toEqual([]);
    // The part whose number is only known at execution.
    const kept = collateralHeld(world, reserve, wallet);
    expect(kept).toBeGreaterThan(0n);
    expect(kept).toBeLessThan(DEPOSIT / 100_000n);

    // The transaction that queued it is the vault's, for as long as the ticket waits.
    const caused = () =>
      world.get<readonly { withdrawTicket: string; liquidityTokenAmount: string }[]>(
        `/kvaults/vaults/${vault}/enqueued-withdraw-transactions`,
      );
    const address = ticketAt(queueReserve(world, reserve), ahead);
    const [entry, ...others] = await caused();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ transactionName: 'enqueueToWithdraw', withdrawTicket: address, reserve });
    const all = 2n ** 64n - 1n;
    const cancelled = cancelCall(queueReserve(world, reserve), wallet, ahead, all);
    await sendInstructions(world, [cancelled], [signer]);
    expect(await caused()).toEqual([]);
  });

  it('is refused by the other builders’ reasons', async () => {
    const stranger = await world.newWallet({});
    const exit = await build('buildVaultExit', 'VaultExitInput', {
      wallet: stranger.address,
      vault,
      amount: { all: 'ALL' },
    });
    expect(exit).toMatchObject({ code: 'KVAULT_POSITION_NOT_FOUND' });
  });
});
