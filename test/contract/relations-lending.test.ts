import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, Rational, sum } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { DOUBLE, exact, expectNear, ratio } from '../../packages/protocol/test/support/numbers.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

type Fields = Readonly<Record<string, string>>;

interface ObligationBody {
  readonly obligationAddress: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly positions: { readonly deposits: readonly Fields[]; readonly borrows: readonly Fields[] };
  readonly refreshedStats: Fields;
}

interface LoanBody {
  readonly leverage: number;
  readonly loanInfo: Readonly<Record<'currentLtv' | 'maxLtv' | 'liquidationLtv', number>> & {
    readonly collateral: { readonly deposits: readonly Readonly<Record<string, unknown>>[] };
    readonly debt: { readonly borrows: readonly Readonly<Record<string, unknown>>[] };
  };
}

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

const read = async <T>(url: string) => (await world.get(url)).body as T;

/** The account of the world, decoded. */
const reserveAt = (data: Uint8Array) =>
  reserveLayout.decode({ owner: MAINNET_PROGRAMS.klend, data }, MAINNET_PROGRAMS.klend);

describe('reserves', () => {
  it('have the account of the chain, of 8624 bytes, which matches the metrics', async () => {
    const { markets } = world.subjects;
    let checked = 0;
    for (const market of markets) {
      const [group] = await read<readonly { reserves: readonly { pubkey: string; data: string }[] }[]>(
        `/svc-market/reserves/account-data?markets=${market}`,
      );
      const metrics = await read<readonly Fields[]>(`/svc-market/${market}/reserves/metrics`);
      expect(group?.reserves.map(({ pubkey }) => pubkey).sort()).toEqual(
        metrics.map(({ reserve }) => reserve).sort(),
      );
      for (const { pubkey, data } of group?.reserves ?? []) {
        const bytes = Buffer.from(data, 'base64');
        expect(bytes.length).toBe(8624);
        expect(bytes.equals(accountIn(world.localChain, pubkey as Address).data)).toBe(true);
        const shown = metrics.find(({ reserve }) => reserve === pubkey);
        if (shown === undefined) throw new Error(`no metrics of ${pubkey}`);
        expectShown(shown, bytes);
        checked += 1;
      }
    }
    expect(checked).toBe(world.subjects.reserves.length);
  });

  /** Amounts grow by interest from the stored ones; USD values are at the stored price. */
  function expectShown(shown: Fields, bytes: Uint8Array): void {
    const { liquidity, config } = reserveAt(bytes);
    const whole = (baseUnits: Rational) => baseUnits.div(integer(10n ** liquidity.mintDecimals));
    const price = fromScaledFraction(liquidity.marketPriceSf);
    const stored = whole(fromScaledFraction(liquidity.borrowedAmountSf));
    const [supply, borrow] = [exact(shown.totalSupply), exact(shown.totalBorrow)];
    expect(shown.liquidityTokenMint).toBe(liquidity.mintPubkey);
    expectNear(exact(shown.maxLtv), Rational.of(BigInt(config.loanToValuePct), 100n), 'maxLtv');
    expectNear(exact(shown.totalSupplyUsd), supply.mul(price), 'totalSupplyUsd');
    expectNear(exact(shown.totalBorrowUsd), borrow.mul(price), 'totalBorrowUsd');
    // Published with 34 digits, so without new interest it may be below the stored fraction by half of the last one.
    expect(borrow.compare(stored.mul(exact(`0.${'9'.repeat(33)}`))) >= 0).toBe(true);
    expect(borrow.compare(stored.mul(exact('1.01')).add(exact('0.000001'))) <= 0).toBe(true);
    expect(exact(shown.borrowApy).compare(exact(shown.supplyApy)) >= 0).toBe(true);
  }

  it('have the value that their rewards are paid on', async () => {
    const rewards = await read<readonly Readonly<Record<string, string | null>>[]>('/klend/rewards');
    expect(rewards.length).toBeGreaterThan(1);
    for (const { market, depositReserve, borrowReserve, activePositionsUsd } of rewards) {
      const metrics = await read<readonly Fields[]>(`/svc-market/${market}/reserves/metrics`);
      const shown = metrics.find(({ reserve }) => reserve === (depositReserve ?? borrowReserve));
      const side = depositReserve === null ? shown?.totalBorrowUsd : shown?.totalSupplyUsd;
      expect(activePositionsUsd).toBe(side);
    }
  });
});

/** Obligations of every kind, and others from all parts of the world. */
function obligations() {
  const others = world.localChain.worldChain.world.obligations.filter(
    ({ exists }, i) => exists && i % 20 === 0,
  );
  return [
    ...world.subjects.obligations,
    ...others.map(({ address, owner, market }) => ({
      address,
      owner: owner.address,
      market: market.address,
    })),
  ];
}

describe('obligations', () => {
  const bodies = async () => {
    const asked = obligations().map(
      ({ market, owner }) => `/svc-market/${market}/users/${owner}/obligations`,
    );
    const lists = await Promise.all([...new Set(asked)].map((url) => read<readonly ObligationBody[]>(url)));
    return lists.flat();
  };

  it('have values consistent with each other and with their positions', async () => {
    const all = await bodies();
    expect(all.length).toBeGreaterThanOrEqual(30);
    let inDebt = 0;
    for (const { obligationAddress: at, positions, refreshedStats } of all) {
      const { deposits, borrows } = positions;
      const n = (name: string) => exact(refreshedStats[name]);
      const values = (positions: readonly Fields[]) =>
        sum(positions.map((position) => exact(position.marketValueRefreshed)));
      const [deposited, borrowed] = [n('userTotalDeposit'), n('userTotalBorrow')];
      const factored = n('userTotalBorrowBorrowFactorAdjusted');
      expectNear(deposited, values(deposits), `deposits of ${at}`);
      expectNear(borrowed, values(borrows), `borrows of ${at}`);
      expectNear(n('netAccountValue'), deposited.sub(borrowed), `net value of ${at}`);
      expectNear(n('leverage'), ratio(deposited, n('netAccountValue')), `leverage of ${at}`);
      expectNear(n('loanToValue'), ratio(factored, n('userTotalCollateralDeposit')), `LTV of ${at}`);
      expectNear(n('borrowUtilization'), ratio(factored, n('borrowLimit')), `utilization of ${at}`);
      const liquidatable = n('userTotalLiquidatableDeposit');
      expectNear(n('liquidationLtv'), ratio(n('borrowLiquidationLimit'), liquidatable), `LTV of ${at}`);
      expect(factored.compare(borrowed) >= 0, at).toBe(true);
      expect(n('borrowLimit').compare(n('borrowLiquidationLimit')) <= 0, at).toBe(true);
      if (!borrowed.isZero) inDebt += 1;
    }
    expect(inDebt).toBeGreaterThan(10);
  });

  it('show the decoded account, including empty slots', async () => {
    for (const { obligationAddress, state: shown, positions } of await bodies()) {
      const { borrowOrder, ...state } = shown;
      expect(borrowOrder).toEqual(state.headBorrowOrder);
      const { deposits, borrows } = positions;
      const account = accountIn(world.localChain, obligationAddress as Address);
      const decoded = obligationLayout.decode(account, MAINNET_PROGRAMS.klend);
      expectDecoded(state, decoded, obligationAddress);
      const used = (slots: unknown, key: string) =>
        (slots as readonly Fields[]).map((slot) => slot[key]).filter((each) => each !== '1'.repeat(32));
      expect(deposits.map(({ reserve }) => reserve)).toEqual(used(state.deposits, 'depositReserve'));
      expect(borrows.map(({ reserve }) => reserve)).toEqual(used(state.borrows, 'borrowReserve'));
    }
  });

  function expectDecoded(shown: unknown, decoded: unknown, at: string): void {
    if (typeof shown !== 'object' || shown === null) {
      expect(shown, at).toBe(typeof decoded === 'bigint' ? String(decoded) : decoded);
      return;
    }
    for (const [name, value] of Object.entries(shown)) {
      expectDecoded(value, (decoded as Readonly<Record<string, unknown>>)[name], `${at}.${name}`);
    }
  }
});

describe('loans', () => {
  it('are worth amount x price, per position and in total', async () => {
    let inDebt = 0;
    for (const { address } of obligations()) {
      const { leverage, loanInfo } = await read<LoanBody>(`/klend/loans/${address}`);
      const { deposits } = loanInfo.collateral;
      const { borrows } = loanInfo.debt;
      for (const { tokenAmount, tokenPrice, tokenValue } of [...deposits, ...borrows]) {
        expectNear(exact(tokenValue), exact(tokenAmount).mul(exact(tokenPrice)), address, DOUBLE);
      }
      for (const { maxWithdrawableAmount, maxWithdrawableValue, tokenPrice } of deposits) {
        const worth = exact(maxWithdrawableAmount).mul(exact(tokenPrice));
        expectNear(exact(maxWithdrawableValue), worth, address, DOUBLE);
      }
      for (const { maxBorrowableAmount, maxBorrowableValue, tokenPrice } of borrows) {
        const worth = exact(maxBorrowableAmount).mul(exact(tokenPrice));
        expectNear(exact(maxBorrowableValue), worth, address, DOUBLE);
      }
      const collateral = deposits.filter(({ maxLtv }) => maxLtv !== 0);
      const weighed = (positions: typeof deposits, factor: string) =>
        sum(positions.map((each) => exact(each.tokenValue).mul(exact(each[factor]))));
      const counted = sum(collateral.map(({ tokenValue }) => exact(tokenValue)));
      const [all, debt] = [deposits, borrows].map((positions) =>
        sum(positions.map(({ tokenValue }) => exact(tokenValue))),
      ) as [Rational, Rational];
      expectNear(exact(leverage), ratio(all, all.sub(debt)), `leverage of ${address}`);
      expectNear(
        exact(loanInfo.currentLtv),
        ratio(weighed(borrows, 'borrowFactor'), counted),
        `LTV of ${address}`,
      );
      expectNear(
        exact(loanInfo.maxLtv),
        ratio(weighed(collateral, 'maxLtv'), counted),
        `maxLtv of ${address}`,
      );
      if (borrows.length > 0) inDebt += 1;
    }
    expect(inDebt).toBeGreaterThan(10);
  });
});

describe('private credit', () => {
  it('has the loans of the markets that its vaults lend to, as the risk of these markets counts them', async () => {
    const { vaults } = world.localChain.worldChain.world;
    const { data, errors } = await world.gateway.query<{
      vault: { isPrivateCredit: boolean; allocations: readonly { reserve: { marketAddress: string } }[] };
      privateCredit: {
        activeLoans: number;
        borrowedUsd: string;
        depositedUsd: string;
        loans: readonly { borrowedUsd: string; obligation: { loanToValue: string } | null; ltv: string }[];
        markets: readonly {
          address: string;
          risk: { now: { loans: number; debtUsd: string; collateralUsd: string } };
        }[];
      };
    }>(
      `query ($vault: Address!) {
        vault(address: $vault) { isPrivateCredit allocations { reserve { marketAddress } } }
        privateCredit { activeLoans borrowedUsd depositedUsd
          loans(first: 1000) { borrowedUsd ltv obligation { loanToValue } }
          markets { address risk(shocks: []) { now { loans debtUsd collateralUsd } } } } }`,
      // The catalogue of the localnet lists its last vault.
      { variables: { vault: vaults.at(-1)?.address } },
    );
    expect(errors).toEqual([]);
    const { vault, privateCredit: credit } = data;
    expect(vault.isPrivateCredit).toBe(true);
    expect(credit.markets.map(({ address }) => address)).toEqual(
      [...new Set(vault.allocations.map(({ reserve }) => reserve.marketAddress))].sort(),
    );
    const totalOf = (field: 'debtUsd' | 'collateralUsd') =>
      sum(credit.markets.map(({ risk }) => exact(risk.now[field])));
    expectNear(exact(credit.borrowedUsd), totalOf('debtUsd'), 'debt');
    expectNear(exact(credit.depositedUsd), totalOf('collateralUsd'), 'collateral');
    expect(credit.activeLoans).toBe(credit.markets.reduce((count, { risk }) => count + risk.now.loans, 0));
    expect(credit.loans).toHaveLength(credit.activeLoans);
    expect(credit.loans.length).toBeGreaterThan(10);
    const debts = credit.loans.map((loan) => Number(loan.borrowedUsd));
    expect(debts).toEqual(debts.toSorted((a, b) => b - a));
    for (const { ltv, obligation } of credit.loans.slice(0, 20)) {
      expectNear(exact(ltv), exact(obligation?.loanToValue), 'LTV');
    }
  });
});
