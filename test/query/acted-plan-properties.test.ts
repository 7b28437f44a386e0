import type { AccountReader } from '@sluice/localnet/runtime/account-overlay';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { type BuiltPlan, isBuilt, PlanActor, type PlanFigures } from '../support/apps/plan-actor.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';

/**
 * Random plans: one that cannot work is refused with a code and its step, and builds nothing; of any other, the chain
 * accepts every transaction in order, and the positions are then what the preview says. A failure prints its seed.
 */

const RUNS = 8;
const DAY = 86_400;
const { klend, kvault, farms } = MAINNET_PROGRAMS;

type Kind =
  | 'vaultDeposit'
  | 'vaultWithdraw'
  | 'stake'
  | 'unstake'
  | 'claim'
  | 'group'
  | `lending${'Deposit' | 'Borrow' | 'Repay' | 'Withdraw'}`;

/** A step before the wallet is known. */
interface Step {
  readonly kind: Kind;
  /** Of the three reserves below. */
  readonly reserve: 0 | 1 | 2;
  /** Whole tokens or shares; null for all. */
  readonly amount: string | null;
}

const KINDS: readonly Kind[] = [
  'vaultDeposit',
  'vaultWithdraw',
  'stake',
  'unstake',
  'claim',
  'group',
  'lendingDeposit',
  'lendingBorrow',
  'lendingRepay',
  'lendingWithdraw',
];
const thousandths = (most: number) =>
  fc.integer({ min: 1, max: most }).map((amount) => String(amount / 1_000));
const amounts = fc.oneof(
  { weight: 5, arbitrary: thousandths(30_000) },
  { weight: 2, arbitrary: thousandths(900_000) },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('0.000001', '50000') },
);
const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...KINDS),
    reserve: fc.constantFrom(0, 0, 1, 2),
    amount: amounts,
  }),
  { minLength: 3, maxLength: 6 },
);

let world: ActingApp;
let reserves: readonly { readonly address: Address; readonly mint: Address; readonly decimals: number }[];
let farm: Address;

beforeAll(async () => {
  world = await startActingApp();
  const { chain: localChain, addresses } = world.localnet;
  const market = localChain.world.markets.find(({ address }) => address === addresses.market);
  reserves = ['USDC', 'jitoSOL', 'SOL'].map((symbol) => {
    const found = market?.reserves.find(({ token }) => token.symbol === symbol) ?? expect.fail(symbol);
    const { mint } = found.token;
    return { address: found.address, mint: mint.address, decimals: mint.decimals };
  });
  farm = vaultState.decode(accountIn(localChain, addresses.vault), kvault).vaultFarm;
});
afterAll(() => world?.stop());

function actionOf(actor: PlanActor, { kind, reserve, amount }: Step): object {
  const { market } = world.localnet.addresses;
  const { address } = reserves[reserve] ?? expect.fail('no reserve');
  const shares = amount === null ? { all: 'ALL' } : { shares: amount };
  switch (kind) {
    case 'vaultDeposit':
      return actor.vault('Deposit', amount === null ? { all: 'ALL' } : { tokens: amount });
    case 'vaultWithdraw':
      return actor.vault('Withdraw', shares);
    case 'stake':
    case 'unstake':
      return actor.shares(kind, shares);
    case 'claim':
      return amount === null ? actor.claim() : actor.claim(farm);
    case 'group':
      return { requestElevationGroup: { wallet: actor.address, market, group: reserve } };
    default:
      return actor.lending(kind.replace('lending', '') as 'Deposit', address, amount);
  }
}

/** A wallet with shares, deposits and rewards to claim. */
async function newActor(): Promise<PlanActor> {
  const [usdc, jito, sol] = reserves;
  if (usdc === undefined || jito === undefined || sol === undefined) return expect.fail('no reserves');
  const signer = await world.newWallet({ [usdc.mint]: 10_000_000_000n, [jito.mint]: 1_000_000_000_000n });
  const actor = new PlanActor(world, signer);
  await actor.act(
    actor.vault('Deposit', { tokens: '1000' }),
    actor.shares('unstake', { shares: '200' }),
    actor.lending('Deposit', jito.address, '50'),
    actor.lending('Borrow', sol.address, '5'),
  );
  await actor.wait(DAY);
  return actor;
}

/** Whole tokens or shares that the accounts of the chain hold, for the figure of a step. */
function outcomes(actor: PlanActor, after: AccountReader) {
  const { market, vault } = world.localnet.addresses;
  const own = obligationAddress(klend, actor.address, market, VANILLA_OBLIGATION).address;
  const whole = (units: Rational, decimals: number) => units.div(Rational.of(10n ** BigInt(decimals)));
  const { sharesMint, sharesMintDecimals } = vaultState.decode(
    accountIn(world.localnet.chain, vault),
    kvault,
  );
  const account = after.get(associatedTokenAddress(actor.address, TOKEN_PROGRAM, sharesMint).address);
  const wallet = account?.lamports ? decodeTokenAccount({ address: sharesMint, ...account }).amount : 0n;
  const stake = after.get(farmUserState(farms, farm, actor.address).address);
  const staked = stake ? userState.decode(stake, farms).activeStakeScaled : 0n;
  const isOpen = (after.get(own)?.data.length ?? 0) > 0;
  const inShares = (units: Rational) => whole(units, Number(sharesMintDecimals));
  return {
    position(side: 'deposit' | 'debt', { address, decimals }: (typeof reserves)[number]): Rational {
      const read = side === 'deposit' ? depositUnits : debtUnits;
      return isOpen ? whole(read(after, own, address), decimals) : Rational.of(0n);
    },
    unstaked: inShares(Rational.of(wallet)),
    staked: inShares(Rational.of(staked, 10n ** 18n)),
    group: isOpen ? obligation.decode(after.get(own) ?? expect.fail('closed'), klend).elevationGroup : 0,
  };
}

/** Interest of a slot, or the rounding of later steps in the same reserve, may change a position by a trifle. */
function expectNear(
  text: string | null | undefined,
  found: Rational,
  decimals: number,
  exact: boolean,
): void {
  const difference = parseDecimal(text ?? expect.fail('no figure'))
    .sub(found)
    .abs();
  const allowed = exact
    ? Rational.of(2n, 10n ** BigInt(decimals))
    : found.mul(Rational.of(1n, 10n ** 7n)).add(Rational.of(5n, 10n ** BigInt(decimals)));
  expect(difference.compare(allowed) <= 0, `${text} is not ${Number(found.n) / Number(found.d)}`).toBe(true);
}

/** Compares the last figure of every position with the chain. */
function expectPreviewed(
  actor: PlanActor,
  given: readonly Step[],
  plan: BuiltPlan,
  after: AccountReader,
): void {
  const found = outcomes(actor, after);
  const exact = plan.transactions.length === 1;
  const previews = plan.steps.map(({ preview }) => preview);
  const last = (holds: (step: Step) => boolean): PlanFigures | undefined =>
    previews.findLast((_, index) => holds(given[index] ?? expect.fail('more steps than actions')));
  for (const [index, reserve] of reserves.entries()) {
    const on =
      (...kinds: Kind[]) =>
      (step: Step) =>
        kinds.includes(step.kind) && step.reserve === index;
    const deposit = last(on('lendingDeposit', 'lendingWithdraw'));
    if (deposit)
      expectNear(deposit.tokens?.after, found.position('deposit', reserve), reserve.decimals, exact);
    const debt = last(on('lendingBorrow', 'lendingRepay'));
    if (debt) expectNear(debt.tokens?.after, found.position('debt', reserve), reserve.decimals, exact);
  }
  const shares = last(({ kind }) => ['vaultDeposit', 'vaultWithdraw', 'stake', 'unstake'].includes(kind));
  if (shares?.shares) expectNear(shares.shares.after, found.staked.add(found.unstaked), 6, exact);
  if (shares?.stakedShares) {
    expectNear(shares.stakedShares.after, found.staked, 6, exact);
    expectNear(shares.unstakedShares?.after, found.unstaked, 6, exact);
  }
  const group = last(({ kind }) => kind === 'group');
  if (group) expect(group.elevationGroup?.after).toBe(String(found.group));
}

/** Rewards in tokens that no other action moves, base units by mint. */
async function ownRewards(actor: PlanActor): Promise<Map<Address, bigint>> {
  const moved = [WRAPPED_SOL_MINT, ...reserves.map(({ mint }) => mint)];
  const { rewards } =
    world.localnet.chain.world.farms.find(({ address }) => address === farm) ?? expect.fail('no farm');
  const mints = rewards.map(({ token }) => token.mint.address).filter((mint) => !moved.includes(mint));
  return new Map(await Promise.all(mints.map(async (mint) => [mint, await actor.tokens(mint)] as const)));
}

/** Builds the steps. Those that are refused are left out, one by one; null when none is left. */
async function buildPossible(actor: PlanActor, given: readonly Step[]) {
  let possible = given;
  while (possible.length > 0) {
    const plan = await actor.build(possible.map((step) => actionOf(actor, step)));
    if (isBuilt(plan)) return { plan, possible };
    expect(Object.keys(ERROR_CODES)).toContain(plan.code);
    expect(plan.code).not.toBe('INTERNAL');
    expect(plan).not.toHaveProperty('transactions');
    const step = plan.step ?? expect.fail(`${plan.code} names no step: ${plan.message}`);
    expect(possible[step]).toBeDefined();
    possible = possible.toSpliced(step, 1);
  }
  return null;
}

it('is refused at a step, or every transaction works and the preview comes true', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const actor = await newActor();
      const built = await buildPossible(actor, given);
      if (built === null) return;
      const { plan, possible } = built;
      expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
      const before = await ownRewards(actor);
      const landed = await actor.send(plan);
      expectPreviewed(actor, possible, plan, landed.at(-1)?.after ?? expect.fail('nothing was sent'));
      if (landed.length > 1) return;
      for (const [mint, amount] of await ownRewards(actor)) {
        const promised = plan.preview.rewards.filter((reward) => reward.mint === mint);
        const sum = promised.reduce((all, reward) => all + BigInt(reward.amount.baseUnits), 0n);
        expect(amount - (before.get(mint) ?? 0n)).toBe(sum);
      }
    }),
    { numRuns: RUNS },
  );
});
