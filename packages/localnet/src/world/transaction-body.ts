import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { ChainInnerInstruction, ChainTokenBalance, ChainTransaction } from '../chain.ts';
import { rentLamports } from '../runtime/account-store.ts';
import { claimSteps } from './claim-instructions.ts';
import { encodeWireTransaction } from './encode-wire-transaction.ts';
import type { Entry, Movement } from './journal.ts';
import { investSteps } from './keeper-instructions.ts';
import { initSteps, lendSteps } from './lending-instructions.ts';
import { OBLIGATION_BYTES } from './lending-setup.ts';
import { liquidationSteps } from './liquidation-instructions.ts';
import { marketTable, vaultTable } from './lookup-tables.ts';
import { logsOf } from './program-logs.ts';
import { isNative, TOKEN_ACCOUNT_RENT } from './token-accounts.ts';
import type { Step } from './transaction-steps.ts';
import {
  shareTransferSteps,
  stakeActionSteps,
  unstakeActionSteps,
  vaultDepositSteps,
  vaultWithdrawSteps,
} from './vault-instructions.ts';
import type { World } from './world.ts';

const OBLIGATION_RENT = rentLamports(OBLIGATION_BYTES);

/** Everything of a transaction except its signature, time and outcome. */
export type TransactionBody = Omit<ChainTransaction, 'signature' | 'slot' | 'blockTime' | 'error'>;

/** The instructions of an action, with what they call. */
export function stepsOf(world: World, { action, payer }: Pick<Entry, 'action' | 'payer'>): Step[] {
  switch (action.kind) {
    case 'vaultDeposit':
      return vaultDepositSteps(payer, action);
    case 'vaultWithdraw':
      return vaultWithdrawSteps(payer, action);
    case 'stake':
      return stakeActionSteps(payer, action);
    case 'unstake':
      return unstakeActionSteps(payer, action);
    case 'shareTransfer':
      return shareTransferSteps(payer, action);
    case 'invest':
      return investSteps(payer, action);
    case 'claim':
      return claimSteps(payer, action, world.seed);
    case 'lend':
      return lendSteps(action, world.oracle.address);
    case 'liquidation':
      return liquidationSteps(payer, action, world.oracle.address);
    case 'init':
      return initSteps(action);
  }
}

/** The lookup table that the transaction uses. Wide transactions need one; some others use one as well. */
export function tableOf(
  world: World,
  { action, sequence }: Pick<Entry, 'action' | 'sequence'>,
): Record<Address, Address[]> {
  if (action.kind === 'vaultDeposit' || action.kind === 'vaultWithdraw') {
    const wide = action.vault.allocations.length > 3;
    return wide || sequence % 3 === 0 ? { [action.vault.lookupTable]: vaultTable(action.vault) } : {};
  }
  if (action.kind === 'invest') return { [action.vault.lookupTable]: vaultTable(action.vault) };
  if (action.kind !== 'lend' && action.kind !== 'liquidation') return {};
  const { market } = action.obligation;
  const wide =
    action.deposits.length + action.borrows.length > 1 ||
    action.kind === 'liquidation' ||
    action.setup.obligation;
  return wide || sequence % 4 === 0
    ? { [market.lookupTable]: marketTable(market, world.oracle.address) }
    : {};
}

/**
 * Builds the full transaction: its bytes, loaded accounts, balances before and after, inner instructions and
 * logs.
 */
export function transactionBody(
  world: World,
  entry: Entry,
  signature: Uint8Array,
  blockhash: string,
): TransactionBody {
  const steps = stepsOf(world, entry);
  const tables = tableOf(world, entry);
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(entry.payer.address, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        draft,
      ),
    (draft) =>
      appendTransactionMessageInstructions(
        steps.map(({ instruction }) => instruction),
        draft,
      ),
    (draft) => compressTransactionMessageUsingAddressLookupTables(draft, tables),
  );
  const compiled = compileTransactionMessage(message);
  const lookups = compiled.addressTableLookups ?? [];
  const loaded = (indexesOf: (lookup: (typeof lookups)[number]) => readonly number[]) =>
    lookups.flatMap((lookup) =>
      indexesOf(lookup).flatMap((index) => tables[lookup.lookupTableAddress]?.[index] ?? []),
    );
  const loadedWritable = loaded((lookup) => lookup.writableIndexes);
  const loadedReadonly = loaded((lookup) => lookup.readonlyIndexes);
  const addresses = [...compiled.staticAccounts, ...loadedWritable, ...loadedReadonly];
  const index = new Map(addresses.map((address, i) => [address, i]));
  const balances = balancesOf(world, entry, steps, addresses);
  return {
    wire: encodeWireTransaction(signature, compiled),
    addresses,
    loadedWritable,
    loadedReadonly,
    feeLamports: entry.feeLamports,
    computeUnits: 4_000 + steps.reduce((sum, { inner }) => sum + 17_500 + 9_200 * inner.length, 0),
    ...balances,
    preTokenBalances: tokenBalances(entry, index, 'pre'),
    postTokenBalances: tokenBalances(entry, index, 'post'),
    inner: innerOf(steps, index),
    logs: logsOf(steps),
  };
}

function innerOf(steps: readonly Step[], index: ReadonlyMap<Address, number>): TransactionBody['inner'] {
  const at = (address: Address) => index.get(address) ?? 0;
  return steps.flatMap(({ inner }, position) =>
    inner.length === 0
      ? []
      : {
          index: position,
          instructions: inner.map(
            ({ programAddress, accounts, data }): ChainInnerInstruction => ({
              programIdIndex: at(programAddress),
              accounts: accounts.map(({ address }) => at(address)),
              data,
              stackHeight: 2,
            }),
          ),
        },
  );
}

function amountOf({ relative }: Entry, movement: Movement, side: 'pre' | 'post'): bigint {
  return movement[side] + (relative ? movement.holding.opening : 0n);
}

function isNew(movement: Movement): boolean {
  return movement.created && movement.holding.opening === 0n;
}

function tokenBalances(
  entry: Entry,
  index: ReadonlyMap<Address, number>,
  side: 'pre' | 'post',
): ChainTokenBalance[] {
  return entry.movements
    .filter((movement) => side === 'post' || !isNew(movement))
    .map((movement) => {
      const { address, mint, owner } = movement.holding;
      return {
        accountIndex: index.get(address) ?? 0,
        mint: mint.address,
        owner,
        programId: mint.program,
        amount: amountOf(entry, movement, side),
        decimals: mint.decimals,
      };
    })
    .sort((a, b) => a.accountIndex - b.accountIndex);
}

/**
 * Lamports before and after. Only the payer's and wrapped SOL change; accounts opened by the transaction
 * start at zero.
 */
function balancesOf(
  world: World,
  entry: Entry,
  steps: readonly Step[],
  addresses: readonly Address[],
): Pick<TransactionBody, 'preBalances' | 'postBalances'> {
  const opening = entry.relative ? entry.payer.openingLamports : 0n;
  const opened = openedBy(entry, steps);
  const bystanders = bystandersOf(entry);
  // The account may have been closed or reopened since.
  const obligation = 'obligation' in entry.action ? entry.action.obligation.address : null;
  const closes = entry.action.kind === 'lend' && entry.action.closes;
  const moved = new Map(entry.movements.map((movement) => [movement.holding.address, movement]));
  const side = (name: 'pre' | 'post') =>
    addresses.map((address) => {
      if (address === entry.payer.address) {
        return opening + (name === 'pre' ? entry.lamportsPre : entry.lamportsPost);
      }
      if (name === 'pre' && opened.has(address)) return 0n;
      if (address === obligation) return name === 'post' && closes ? 0n : OBLIGATION_RENT;
      const movement = moved.get(address);
      if (movement !== undefined && isNative(movement.holding.mint)) {
        return TOKEN_ACCOUNT_RENT + amountOf(entry, movement, name);
      }
      return bystanders.get(address) ?? world.store.lamportsOf(address);
    });
  return { preBalances: side('pre'), postBalances: side('post') };
}

/** Other wallets it names, with their opening balances, so that a past transaction never changes. */
function bystandersOf({ action }: Entry): Map<Address, bigint> {
  const other =
    action.kind === 'shareTransfer'
      ? action.to
      : 'obligation' in action
        ? action.obligation.owner.referrer
        : null;
  return new Map(other === null ? [] : [[other.address, other.openingLamports]]);
}

function openedBy(entry: Entry, steps: readonly Step[]): Set<Address> {
  const opened = new Set(entry.movements.filter(isNew).map(({ holding }) => holding.address));
  const place: Readonly<Record<string, number>> = {
    InitUserMetadata: 2,
    InitObligation: 2,
    InitObligationFarmsForReserve: 6,
    InitReferrerTokenState: 4,
    InitializeUser: 4,
  };
  for (const { name, instruction } of steps) {
    const account = instruction.accounts[place[name ?? ''] ?? -1];
    if (account !== undefined) opened.add(account.address);
  }
  return opened;
}
