import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { CheckArguments } from './arguments.ts';
import { figure } from './figures.ts';
import { type Ask, whole } from './gateway.ts';

/** The accounts to act on. */
export interface Subject {
  readonly wallet: Address;
  readonly vault: Address;
  /** Reserve in which the vault holds most; null when it holds nothing in any. */
  readonly vaultReserve: Address | null;
  readonly market: Address;
  readonly reserve: Address;
  readonly mint: Address;
  readonly borrowReserve: Address;
  readonly borrowMint: Address;
  /** A third reserve of the market, for swaps of a debt or a deposit; null when it has none. */
  readonly otherReserve: Address | null;
  /** Whole tokens to deposit into the vault and the reserve. */
  readonly amount: string;
  /** Whole tokens, half as many. */
  readonly partialAmount: string;
  /** Whole tokens. */
  readonly borrowAmount: string;
  /** Whole tokens, about half as many. */
  readonly partialBorrow: string;
  /** The elevation group for this collateral and this debt; null when the market has none. */
  readonly elevationGroup: number | null;
  /** A loan of somebody else that can be liquidated; null when the market has none. */
  readonly liquidatable: LiquidatableLoan | null;
}

export interface LiquidatableLoan {
  readonly owner: Address;
  readonly obligation: Address;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** Whole tokens of `repayReserve`. */
  readonly repayAmount: string;
}

interface Connection<T> {
  readonly nodes: readonly (T | null)[];
}
interface ListedReserve {
  readonly address: Address;
  readonly marketAddress: Address;
  readonly token: {
    readonly mint: Address;
    readonly decimals: number;
    readonly price: { readonly usd: string } | null;
  };
}
interface Listed {
  readonly vaults: Connection<{ readonly address: Address }>;
  readonly reserves: Connection<ListedReserve>;
}

const LARGEST = `query Largest($filter: ReserveFilter) {
  vaults(first: 1) { nodes { address } }
  reserves(first: 3, filter: $filter) { nodes { address marketAddress token { mint decimals price { usd } } } }
}`;

interface Around {
  readonly vault: {
    readonly allocations: readonly {
      readonly reserveAddress: Address;
      readonly invested: { readonly amount: string } | null;
    }[];
  } | null;
  readonly market: {
    readonly elevationGroups: readonly {
      readonly number: number;
      readonly allowsNewLoans: boolean;
      readonly debtReserve: { readonly address: Address } | null;
      readonly collateralReserves: readonly { readonly address: Address }[];
    }[];
  } | null;
  readonly obligations: Connection<{
    readonly address: Address;
    readonly owner: { readonly address: Address };
    readonly whatIf: {
      readonly liquidation: {
        readonly repayReserveAddress: Address;
        readonly withdrawReserveAddress: Address;
        readonly repayReserve: { readonly token: { readonly decimals: number } } | null;
      } | null;
    } | null;
  }>;
}

const AROUND = `query Around($vault: Address!, $market: Address!) {
  vault(address: $vault) { allocations { reserveAddress invested { amount } } }
  market(address: $market) {
    elevationGroups { number allowsNewLoans debtReserve { address } collateralReserves { address } }
  }
  obligations(first: 1, scope: { market: $market }, filter: { liquidatable: true }) {
    nodes { address owner { address } whatIf { liquidation {
      repayReserveAddress withdrawReserveAddress repayReserve { token { decimals } }
    } } }
  }
}`;

const USUAL_BORROW = Rational.of(1n, 100n);
/** Fraction of the deposit's value: below the loan-to-value of any reserve that takes collateral. */
const BORROWED_SHARE = Rational.of(1n, 10n);

/** The accounts given on the command line; for the rest the most valuable vault and the largest reserves. */
export async function subjectOf(ask: Ask, args: CheckArguments): Promise<Subject> {
  const largest = async (filter: object) => whole(await ask<Listed>(LARGEST, { filter }));
  const named = args.reserve === null ? {} : { addresses: [args.reserve] };
  const { vaults, reserves } = await largest({ market: args.market, ...named });
  const [reserve] = reserves.nodes;
  const market = args.market ?? reserve?.marketAddress;
  const inMarket = market === undefined ? [] : (await largest({ market })).reserves.nodes;
  const other = inMarket.find((each) => each !== null && each.address !== reserve?.address);
  const borrowReserve = args.borrowReserve ?? other?.address;
  const borrowed =
    args.borrowReserve === null
      ? other
      : (await largest({ market, addresses: [args.borrowReserve] })).reserves.nodes[0];
  const vault = args.vault ?? vaults.nodes[0]?.address;
  if (vault === undefined || !reserve || market === undefined || borrowReserve === undefined || !borrowed) {
    const reason =
      'The cluster has no such vault, or no market with two reserves. Set --vault, --market, --reserve and --borrow-reserve.';
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  const third = inMarket.find(
    (each) => each !== null && each.address !== reserve.address && each.address !== borrowReserve,
  );
  const { wallet, amount } = args;
  const borrowAmount = args.borrowAmount ?? coveredBorrow(amount, reserve, borrowed);
  const partialAmount = halfUnits(amount, reserve.token.decimals);
  const accounts = {
    wallet,
    vault,
    market,
    reserve: reserve.address,
    mint: reserve.token.mint,
    borrowReserve,
    borrowMint: borrowed.token.mint,
    otherReserve: third?.address ?? null,
  };
  const partialBorrow = halfUnits(borrowAmount, borrowed.token.decimals);
  const chosen = { ...accounts, amount, partialAmount, borrowAmount, partialBorrow };
  return { ...chosen, ...around(chosen, whole(await ask<Around>(AROUND, { vault, market }))) };
}

function around(
  { reserve, borrowReserve, borrowAmount }: Pick<Subject, 'reserve' | 'borrowReserve' | 'borrowAmount'>,
  found: Around,
): Pick<Subject, 'vaultReserve' | 'elevationGroup' | 'liquidatable'> {
  const invested = (found.vault?.allocations ?? [])
    .map((each) => ({ reserve: each.reserveAddress, amount: figure(each.invested?.amount) }))
    .filter(({ amount }) => amount !== null && !amount.isZero)
    .sort((a, b) => (a.amount !== null && b.amount !== null ? b.amount.compare(a.amount) : 0));
  const group = (found.market?.elevationGroups ?? []).find(
    ({ allowsNewLoans, debtReserve, collateralReserves }) =>
      allowsNewLoans &&
      debtReserve?.address === borrowReserve &&
      collateralReserves.some(({ address }) => address === reserve),
  );
  const [loan] = found.obligations.nodes;
  const pair = loan?.whatIf?.liquidation;
  return {
    vaultReserve: invested[0]?.reserve ?? null,
    elevationGroup: group?.number ?? null,
    liquidatable:
      !loan || !pair?.repayReserve
        ? null
        : {
            owner: loan.owner.address,
            obligation: loan.address,
            repayReserve: pair.repayReserveAddress,
            withdrawReserve: pair.withdrawReserveAddress,
            repayAmount: floored(parseDecimal(borrowAmount), pair.repayReserve.token.decimals),
          },
  };
}

/** Half of an amount, in whole base units. */
const halfUnits = (amount: string, decimals: number): string =>
  floored(parseDecimal(amount).div(integer(2n)), decimals);

/** As much as the deposit covers, and a hundredth of a token at most. */
function coveredBorrow(deposit: string, reserve: ListedReserve, borrowed: ListedReserve): string {
  const [depositUsd, borrowUsd] = [figure(reserve.token.price?.usd), figure(borrowed.token.price?.usd)];
  if (depositUsd === null || borrowUsd === null) return toDecimalString(USUAL_BORROW);
  const covered = parseDecimal(deposit).mul(depositUsd).div(borrowUsd).mul(BORROWED_SHARE);
  return floored(covered.min(USUAL_BORROW), borrowed.token.decimals);
}

/** An amount of whole tokens, rounded down to base units. */
function floored(amount: Rational, decimals: number): string {
  const scale = integer(10n ** BigInt(decimals));
  return toDecimalString(integer(amount.mul(scale).floor()).div(scale));
}
