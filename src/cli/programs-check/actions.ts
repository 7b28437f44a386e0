import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { CheckArguments } from './arguments.ts';
import type { BuildRequest } from './build.ts';
import { type Ask, whole } from './gateway.ts';
import { figure, lendingPosition, type ReadBack, vaultPosition } from './read-back.ts';

/** The accounts to act on. */
export interface Subject {
  readonly vault: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly borrowReserve: Address;
  /** Whole tokens. */
  readonly borrowAmount: string;
}

/** One step of the check: the builder request, and how to read its outcome. */
export interface CheckedAction {
  readonly name: string;
  readonly request: BuildRequest;
  readonly readBack: ReadBack;
}

interface Connection<T> {
  readonly nodes: readonly (T | null)[];
}
interface ListedReserve {
  readonly address: Address;
  readonly marketAddress: Address;
  readonly token: { readonly decimals: number; readonly price: { readonly usd: string } | null };
}
interface Listed {
  readonly vaults: Connection<{ readonly address: Address }>;
  readonly reserves: Connection<ListedReserve>;
}

const LARGEST = `query Largest($filter: ReserveFilter) {
  vaults(first: 1) { nodes { address } }
  reserves(first: 2, filter: $filter) { nodes { address marketAddress token { decimals price { usd } } } }
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
  if (vault === undefined || !reserve || market === undefined || borrowReserve === undefined) {
    const reason =
      'The cluster has no such vault, or no market with two reserves. Set --vault, --market, --reserve and --borrow-reserve.';
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  const borrowAmount = args.borrowAmount ?? coveredBorrow(args.amount, reserve, borrowed ?? null);
  return { vault, market, reserve: reserve.address, borrowReserve, borrowAmount };
}

/** As much as the deposit covers, and a hundredth of a token at most. */
function coveredBorrow(deposit: string, reserve: ListedReserve, borrowed: ListedReserve | null): string {
  const [depositUsd, borrowUsd] = [figure(reserve.token.price?.usd), figure(borrowed?.token.price?.usd)];
  if (depositUsd === null || borrowUsd === null || borrowed === null) return toDecimalString(USUAL_BORROW);
  const covered = parseDecimal(deposit).mul(depositUsd).div(borrowUsd).mul(BORROWED_SHARE);
  const scale = integer(10n ** BigInt(borrowed.token.decimals));
  const units = integer(covered.min(USUAL_BORROW).mul(scale).floor());
  return toDecimalString(units.div(scale));
}

/** All six actions, ordered so that each finds what it needs. The last of each kind undoes the first. */
export function actionsFor(
  { vault, market, reserve, borrowReserve, borrowAmount }: Subject,
  { wallet, amount }: CheckArguments,
  lendingProgram: Address,
): readonly CheckedAction[] {
  const { address: obligation } = obligationAddress(lendingProgram, wallet, market, VANILLA_OBLIGATION);
  const lending = (
    action: 'Deposit' | 'Borrow' | 'Repay' | 'Withdraw',
    target: Address,
    amountInput: object,
    side: 'deposits' | 'borrows',
  ): CheckedAction => ({
    name: `lending ${action.toLowerCase()}`,
    request: {
      mutation: `buildLending${action}`,
      inputType: 'LendingActionInput',
      input: { wallet, market, reserve: target, amount: amountInput },
    },
    readBack: lendingPosition(obligation, target, side),
  });
  const inVault = (action: 'Deposit' | 'Withdraw', amountInput: object): CheckedAction => ({
    name: `vault ${action.toLowerCase()}`,
    request: {
      mutation: `buildVault${action}`,
      inputType: `Vault${action}Input`,
      input: { wallet, vault, amount: amountInput },
    },
    readBack: vaultPosition(wallet, vault),
  });
  return [
    inVault('Deposit', { tokens: amount }),
    inVault('Withdraw', { all: 'ALL' }),
    lending('Deposit', reserve, { tokens: amount }, 'deposits'),
    lending('Borrow', borrowReserve, { tokens: borrowAmount }, 'borrows'),
    lending('Repay', borrowReserve, { all: 'ALL' }, 'borrows'),
    lending('Withdraw', reserve, { all: 'ALL' }, 'deposits'),
  ];
}
