import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { decodeClock } from '@sluice/protocol/sysvar/clock';
import type { Address } from '@solana/kit';
import { distinct } from '../../builders/read-accounts.ts';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import { type Decoders, decodersFor, EXPECTED_BYTES, type LiveKind } from '../../chain/view/kinds.ts';
import type { ReplacedKind, View } from '../../chain/view/view.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { RecordOf } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { Valuation } from '../tokens/valuation.ts';
import type { TransactionExplanation } from './explain-transaction.ts';
import { namesInView } from './names-in-view.ts';
import { namedState } from './read-ahead.ts';
import type { SimulatedTransaction } from './simulate-explained.ts';

/** The chain before or after a transaction. Both are valued at the moment of the simulation, at the same prices. */
export interface ChainState {
  /** With reserves, vaults and farms in this state. */
  readonly view: View;
  /** An account that the transaction names or that was read for it; null when it does not exist or is of another kind. */
  record<K extends LiveKind>(kind: K, address: Address): RecordOf<K> | null;
}

export interface StatesAround {
  /** Accounts that the transaction may change and that are not the platform's own, in the order of their use. */
  readonly touched: readonly Address[];
  readonly before: ChainState;
  readonly after: ChainState;
  /** Reads further accounts, which the transaction does not name and so cannot change. */
  read(addresses: readonly Address[]): Promise<void>;
}

type Accounts = Map<Address, Omit<ChainAccount, 'space'> | null>;

/** The states before and after a transaction whose simulation succeeds. */
export async function statesAround(
  session: Session,
  { accounts, instructions }: TransactionExplanation,
  { result, after: left }: SimulatedTransaction,
): Promise<StatesAround> {
  const { view, programs } = session;
  const names = namesInView(view);
  const used = instructions.flatMap((each) => each.accounts);
  const touched = distinct(used.map(({ address, isWritable }) => (isWritable ? address : null))).filter(
    (address) => !names.has(address),
  );
  const before: Accounts = new Map();
  const read = async (addresses: readonly Address[]) => {
    const found = await Promise.all(
      addresses.map((address) => session.account(address, EXPECTED_BYTES.tokenAccount)),
    );
    for (const [i, address] of addresses.entries()) before.set(address, found[i] ?? null);
  };
  await read([...touched, ...namedState(view, accounts)]);
  const after: Accounts = new Map();
  for (const [address, account] of left) {
    after.set(address, account && { ...account, address, slot: result.slot });
    if (view.get('oracle', address) !== undefined) before.set(address, after.get(address) ?? null);
  }
  const decoders = decodersFor(programs);
  const moment = momentOf(after.get(CLOCK_SYSVAR));
  const stateOf = (accountAt: (address: Address) => ReturnType<Accounts['get']>): ChainState => ({
    view: viewOf(view, moment, decoders, accountAt),
    record: (kind, address) => recordOf(decoders, kind, accountAt(address) ?? null),
  });
  return {
    touched,
    before: stateOf((address) => before.get(address)),
    after: stateOf((address) => (after.has(address) ? after.get(address) : before.get(address))),
    read,
  };
}

function momentOf(clock: ReturnType<Accounts['get']>) {
  if (!clock) throw new RangeError('a simulation that succeeds returns the clock');
  const { slot, unixTimestamp } = decodeClock(clock);
  return { slot, timestamp: unixTimestamp };
}

function viewOf(
  view: View,
  moment: Parameters<View['with']>[0],
  decoders: Decoders,
  accountAt: (address: Address) => ReturnType<Accounts['get']>,
): View {
  const replaced = <K extends ReplacedKind>(kind: K) => {
    const records = [...view.all(kind).keys()].map((address) =>
      recordOf(decoders, kind, accountAt(address) ?? null),
    );
    return new Map(records.flatMap((record) => (record === null ? [] : [[record.address, record] as const])));
  };
  const state = view.with(moment, {
    reserve: replaced('reserve'),
    vault: replaced('vault'),
    farm: replaced('farm'),
    oracle: replaced('oracle'),
  });
  // Names and other facts from outside the chain are those of the View.
  Valuation.of(state, Valuation.of(view).catalogue);
  return state;
}

function recordOf<K extends LiveKind>(
  decoders: Decoders,
  kind: K,
  account: Omit<ChainAccount, 'space'> | null,
): RecordOf<K> | null {
  // An account that a transaction has closed may still be listed, without any SOL.
  if (account === null || account.lamports === 0n) return null;
  const { address, owner, data, slot } = account;
  try {
    return { address, owner, data, slot, value: decoders[kind](account) };
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}
