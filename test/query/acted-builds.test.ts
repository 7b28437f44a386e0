import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { type Acted, WalletActor } from '../support/apps/wallet-actor.ts';
import { debtUnits, depositUnits, ratiosOf, shareUnits } from '../support/lending/position-units.ts';

/**
 * Every builder on the localnet: built, simulated, signed, sent, confirmed and read back. The chain is frozen, so a
 * transaction runs in the slot of its preview, and its effect is compared to the last digit.
 */

const USDC = 1_000_000n;

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

/** A published number of whole tokens, of base units. */
const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

function expectWithin(text: string | null | undefined, wanted: Rational, distance: Rational): void {
  const found = parseDecimal(text ?? expect.fail('no number'));
  expect(found.sub(wanted).abs().compare(distance), `${text}, not ${toDecimalString(wanted)}`).toBe(-1);
}

/** The published ratio is exact, that of the chain comes from prices with 60 bits. */
function expectRatio(text: string | null | undefined, ratio: Rational | null): void {
  if (ratio === null) expect(text).toBeNull();
  else expectWithin(text, ratio, Rational.of(1n, 10n ** 14n));
}

describe.each([
  ['GraphQL', 'GraphQL'],
  ['/ktx', 'REST'],
] as const)('transactions of %s, sent over %s', (source, way) => {
  let actor: WalletActor;
  let addresses: ActingApp['localnet']['addresses'];

  beforeAll(async () => {
    addresses = world.localnet.addresses;
    const signer = await world.newWallet({ [addresses.tokenMint]: 10_000n * USDC });
    actor = new WalletActor(world, signer, source, way);
  });

  const vaultPosition = async () =>
    (
      await actor.query<{ vault: { position: { totalShares: string; stakedShares: string } | null } }>(
        `{ vault(address: "${addresses.vault}") { position(wallet: "${actor.address}") { totalShares stakedShares } } }`,
      )
    ).vault.position;

  /** The wallet has what the simulation promised. */
  async function expectBalances({ balances }: Acted, mint: Address): Promise<void> {
    const promised = balances.get(mint) ?? expect.fail('the balance does not change');
    expect(await world.tokens(actor.address, mint)).toBe(promised);
  }

  /** The chain has the obligation that was compared with the preview. */
  function expectKept({ after }: Acted): void {
    expect(world.localnet.chain.account(actor.obligation)?.data).toEqual(after.get(actor.obligation)?.data);
  }

  function expectDeposit(acted: Acted): void {
    const { preview, after } = acted;
    const units = depositUnits(after, actor.obligation, addresses.reserve);
    expect(preview.tokens?.after).toBe(published(units, 6));
    expectRatios(acted);
  }

  function expectDebt(acted: Acted): void {
    const { preview, after } = acted;
    const units = debtUnits(after, actor.obligation, addresses.depositReserve);
    expect(preview.tokens?.after).toBe(published(units, 9));
    expectRatios(acted);
  }

  function expectRatios(acted: Acted): void {
    const { loanToValue, healthFactor } = ratiosOf(acted.after, actor.obligation);
    expectRatio(acted.preview.loanToValue?.after, loanToValue);
    expectRatio(acted.preview.healthFactor?.after, healthFactor);
    expectKept(acted);
  }

  /** Parts of a vault's value are published with 34 digits, so their sum may differ in the last ones. */
  async function expectShares({ preview, after }: Acted): Promise<void> {
    const { shares, tokens } = preview;
    expect((await vaultPosition())?.totalShares).toBe(shares?.after);
    const held = parseDecimal(shares?.after ?? '')
      .mul(Rational.of(USDC))
      .floor();
    const value = shareUnits(after, addresses.vault, held).div(Rational.of(USDC));
    expectWithin(tokens?.after, value, Rational.of(1n, 10n ** 24n));
  }

  it('deposits into a vault, and the shares are staked', async () => {
    const acted = await actor.act('VaultDeposit', '1234.567891');
    await expectBalances(acted, addresses.tokenMint);
    await expectShares(acted);
    expect((await vaultPosition())?.stakedShares).toBe(acted.preview.shares?.after);
  });

  it('withdraws some shares and then all', async () => {
    const acted = await actor.act('VaultWithdraw', '100.000001');
    await expectBalances(acted, addresses.tokenMint);
    await expectShares(acted);
    const last = await actor.act('VaultWithdraw', null);
    await expectBalances(last, addresses.tokenMint);
    expect(last.preview.shares?.after).toBe('0');
    expect((await vaultPosition())?.totalShares ?? '0').toBe('0');
    expect(await world.tokens(actor.address, addresses.sharesMint)).toBe(0n);
  });

  it('deposits into a reserve', async () => {
    const acted = await actor.act('LendingDeposit', '500.000003', addresses.reserve);
    await expectBalances(acted, addresses.tokenMint);
    expectDeposit(acted);
  });

  it('borrows', async () => {
    const before = (await world.rpc.getBalance(actor.address).send()).value;
    const acted = await actor.act('LendingBorrow', '0.5', addresses.depositReserve);
    const { value } = await world.rpc.getBalance(actor.address).send();
    expect(acted.balances.get(WRAPPED_SOL_MINT)).toBe(value);
    // Rent of the debt farm's account and the fee come off the half SOL.
    expect(value - before).toBeGreaterThan(490_000_000n);
    expect(value - before).toBeLessThan(500_000_000n);
    expectDebt(acted);
  });

  it('repays some and then all', async () => {
    expectDebt(await actor.act('LendingRepay', '0.2', addresses.depositReserve));
    const last = await actor.act('LendingRepay', null, addresses.depositReserve);
    expect(last.preview.tokens?.after).toBe('0');
    expectKept(last);
    const { obligation } = await actor.query<{ obligation: { borrows: unknown[]; deposits: unknown[] } }>(
      `{ obligation(address: "${actor.obligation}") { borrows { reserveAddress } deposits { reserveAddress } } }`,
    );
    expect(obligation).toEqual({ borrows: [], deposits: [{ reserveAddress: addresses.reserve }] });
  });

  it('withdraws some and then all, which closes the obligation', async () => {
    const acted = await actor.act('LendingWithdraw', '100.000001', addresses.reserve);
    await expectBalances(acted, addresses.tokenMint);
    expectDeposit(acted);
    const last = await actor.act('LendingWithdraw', null, addresses.reserve);
    await expectBalances(last, addresses.tokenMint);
    expect(last.preview.tokens?.after).toBe('0');
    expect(world.localnet.chain.account(actor.obligation)).toBeUndefined();
    const { wallet } = await actor.query<{ wallet: { obligations: { nodes: unknown[] } } }>(
      `{ wallet(address: "${actor.address}") { obligations { nodes { address } } } }`,
    );
    expect(wallet.obligations.nodes).toEqual([]);
  });
});
