import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { obligationAddress, VANILLA_OBLIGATION } from '../../programs/klend/addresses.ts';
import type { CheckArguments } from './arguments.ts';
import type { BuildRequest } from './build.ts';
import { type Ask, whole } from './gateway.ts';
import { lendingPosition, type ReadBack, vaultPosition } from './read-back.ts';

/** The accounts to act on. */
export interface Subject {
  readonly vault: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly borrowReserve: Address;
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
interface Listed {
  readonly vaults: Connection<{ readonly address: Address }>;
  readonly reserves: Connection<{ readonly address: Address; readonly marketAddress: Address }>;
}

const LARGEST = `query Largest($filter: ReserveFilter) {
  vaults(first: 1) { nodes { address } }
  reserves(first: 2, filter: $filter) { nodes { address marketAddress } }
}`;

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
  const vault = args.vault ?? vaults.nodes[0]?.address;
  if (vault === undefined || !reserve || market === undefined || borrowReserve === undefined) {
    const reason =
      'The cluster has no such vault, or no market with two reserves. Set --vault, --market, --reserve and --borrow-reserve.';
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  return { vault, market, reserve: reserve.address, borrowReserve };
}

/** All six actions, ordered so that each finds what it needs. The last of each kind undoes the first. */
export function actionsFor(
  { vault, market, reserve, borrowReserve }: Subject,
  { wallet, amount, borrowAmount }: CheckArguments,
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
