import type { Address } from '@solana/kit';
import { SluiceError } from '../errors/sluice-error.ts';
import {
  type LendingBuildRequest,
  type PreparedBuild,
  prepareLending,
  prepareVaultDeposit,
  prepareVaultWithdraw,
} from '../services/builds.ts';
import type { Session } from '../services/records.ts';
import { listReserves } from '../services/reserve-lists.ts';
import { listVaults } from '../services/vault-lists.ts';
import type { CheckArguments } from './arguments.ts';
import { type Figures, readLending, readVault } from './read-back.ts';

/** What is acted on. */
export interface Subject {
  readonly vault: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly borrowReserve: Address;
}

/** One step of the walk: how it is built, and how its outcome is read. */
export interface CheckedAction {
  readonly name: string;
  prepare(session: Session): Promise<PreparedBuild>;
  readBack(session: Session): Promise<Figures>;
}

/** What was named, and for the rest the most valuable vault and the largest reserves. */
export function subjectOf({ view }: Session, args: CheckArguments): Subject {
  const vault = args.vault ?? listVaults(view)[0]?.address;
  const reserves = listReserves(view);
  const reserve = reserves.find(({ address, value }) =>
    args.reserve === null
      ? args.market === null || value.lendingMarket === args.market
      : address === args.reserve,
  );
  const market = args.market ?? reserve?.value.lendingMarket;
  const other = reserves.find(
    ({ address, value }) => value.lendingMarket === market && address !== reserve?.address,
  );
  const borrowReserve = args.borrowReserve ?? other?.address;
  if (vault === undefined || reserve === undefined || market === undefined || borrowReserve === undefined) {
    const reason =
      'The cluster has no such vault, or no market with two reserves: name them with --vault, --market, --reserve and --borrow-reserve.';
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  return { vault, market, reserve: reserve.address, borrowReserve };
}

/** All six, in an order in which each finds what it needs. The last of each kind takes back what the first put in. */
export function actionsFor(
  { vault, market, reserve, borrowReserve }: Subject,
  { wallet, amount, borrowAmount }: CheckArguments,
): readonly CheckedAction[] {
  const lending = (
    action: LendingBuildRequest['action'],
    acted: Address,
    asked: LendingBuildRequest['amount'],
  ): CheckedAction => ({
    name: `lending ${action}`,
    prepare: (session) => prepareLending(session, { action, wallet, market, reserve: acted, amount: asked }),
    readBack: (session) => readLending(session, wallet, market, acted, action),
  });
  const readBack = (session: Session) => readVault(session, wallet, vault);
  return [
    {
      name: 'vault deposit',
      prepare: (session) => prepareVaultDeposit(session, { wallet, vault, amount: { tokens: amount } }),
      readBack,
    },
    {
      name: 'vault withdraw',
      prepare: (session) => prepareVaultWithdraw(session, { wallet, vault, amount: { all: true } }),
      readBack,
    },
    lending('deposit', reserve, { tokens: amount }),
    lending('borrow', borrowReserve, { tokens: borrowAmount }),
    lending('repay', borrowReserve, { all: true }),
    lending('withdraw', reserve, { all: true }),
  ];
}
