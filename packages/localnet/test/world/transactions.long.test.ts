import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import type { DecodedInstruction } from '@sluice/protocol/layout/instruction';
import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { MAINNET_PROGRAMS, presentAddress, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import {
  AccountRole,
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChainTransaction } from '../../src/chain.ts';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';
import { accountsOf } from './world-reading.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const known = knownInstructions(MAINNET_PROGRAMS);
const base58 = getBase58Decoder();
const START = Date.UTC(2026, 5, 15, 13, 20);
/** Lengths of the instructions that move, mint or burn tokens. */
const AMOUNT_BYTES = 9;
const CHECKED_AMOUNT_BYTES = 10;

interface DecodedTransaction extends Omit<ChainTransaction, 'error'> {
  readonly payer: string | undefined;
  readonly signedAs: string;
  readonly instructions: readonly DecodedInstruction[];
}

let localChain: WorldChain;
let all: DecodedTransaction[];

beforeAll(() => {
  let now = START;
  localChain = createWorldChain({ now: () => now });
  for (let i = 0; i < 300; i += 1) {
    now += 400;
    localChain.tick();
  }
  const bySignature = new Map<string, ChainTransaction>();
  for (const { address } of localChain.world.wallets) {
    for (const transaction of localChain.transactionsOf(address))
      bySignature.set(transaction.signature, transaction);
  }
  all = [...bySignature.values()].map(decode);
});

const tables = new Map<Address, readonly Address[]>();

function tableOf(address: Address): readonly Address[] {
  const known = tables.get(address);
  if (known !== undefined) return known;
  const account = localChain.account(address);
  if (account === undefined) throw new Error(`no table ${address}`);
  const { addresses } = decodeLookupTable(account);
  tables.set(address, addresses);
  return addresses;
}

/** A transaction with its instructions by name, read from its bytes and the lookup tables of the chain. */
function decode(transaction: ChainTransaction): DecodedTransaction {
  const { messageBytes, signatures } = getTransactionDecoder().decode(transaction.wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 0) throw new Error('not a version 0 message');
  const lookups = message.addressTableLookups ?? [];
  const addresses = [
    ...message.staticAccounts,
    ...lookups.flatMap((lookup) => lookup.writableIndexes.map((i) => tableOf(lookup.lookupTableAddress)[i])),
    ...lookups.flatMap((lookup) => lookup.readonlyIndexes.map((i) => tableOf(lookup.lookupTableAddress)[i])),
  ];
  if (addresses.join() !== transaction.addresses.join())
    throw new Error(`${transaction.signature} loads other addresses`);
  const at = (index: number): Address => {
    const address = addresses[index];
    if (address === undefined) throw new Error(`no account ${index}`);
    return address;
  };
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) =>
      decodeInstruction(known, {
        programAddress: at(programAddressIndex),
        accounts: accountIndices.map((i) => ({ address: at(i), role: AccountRole.READONLY })),
        data: Uint8Array.from(data),
      }),
  );
  const [[payer, signature] = []] = Object.entries(signatures);
  const { slot, blockTime, wire, loadedWritable, loadedReadonly, feeLamports, computeUnits } = transaction;
  const { preBalances, postBalances, preTokenBalances, postTokenBalances, inner, logs } = transaction;
  return {
    signature: transaction.signature,
    payer,
    signedAs: signature === null || signature === undefined ? '' : base58.decode(signature),
    instructions,
    addresses: transaction.addresses,
    ...{ slot, blockTime, wire, loadedWritable, loadedReadonly, feeLamports, computeUnits },
    ...{ preBalances, postBalances, preTokenBalances, postTokenBalances, inner, logs },
  };
}

describe('transactions', () => {
  it('decode from their bytes, fit a packet and are signed by their payer', () => {
    expect(all.length).toBeGreaterThan(3000);
    const wrong = all.filter(
      ({ wire, payer, addresses, signedAs, signature, instructions }) =>
        wire.length > 1232 || payer !== addresses[0] || signedAs !== signature || instructions.length === 0,
    );
    expect(wrong).toEqual([]);
    expect(all.some(({ loadedWritable }) => loadedWritable.length > 0)).toBe(true);
    expect(all.some(({ loadedWritable }) => loadedWritable.length === 0)).toBe(true);
  });

  it('include every action of a wallet', () => {
    const names = new Set(all.flatMap(({ instructions }) => instructions.map(({ name }) => name)));
    expect([...names]).toEqual(
      expect.arrayContaining([
        'deposit',
        'withdraw',
        'withdrawFromAvailable',
        'stake',
        'unstake',
        'transferChecked',
        'initUserMetadata',
        'initObligation',
        'requestElevationGroup',
        'depositReserveLiquidityAndObligationCollateralV2',
        'borrowObligationLiquidityV2',
        'repayObligationLiquidityV2',
        'withdrawObligationCollateralAndRedeemReserveCollateralV2',
        'liquidateObligationAndRedeemReserveCollateralV2',
        'invest',
        'harvestReward',
      ]),
    );
  });

  it('are listed under the addresses they use, newest first', () => {
    const { addresses } = localChain;
    for (const address of [
      addresses.wallet,
      addresses.vault,
      addresses.market,
      addresses.reserve,
      addresses.obligation,
      addresses.sharesMint,
      addresses.tokenMint,
      klend,
      kvault,
      farms,
      TOKEN_PROGRAM,
    ]) {
      const listed = localChain.transactionsOf(address);
      expect(listed.length, address).toBeGreaterThan(0);
      for (const transaction of listed.slice(0, 60)) expect(transaction.addresses).toContain(address);
      const slots = listed.map(({ slot }) => slot);
      expect(slots).toEqual(slots.toSorted((a, b) => Number(b - a)));
    }
  });

  it('are all listed under each account whose balance they changed', () => {
    const wallet = localChain.world.wallets.find(({ vaults }) => vaults.length > 2);
    for (const { address } of wallet?.holdings.values() ?? []) {
      const named = all.filter(({ addresses, postTokenBalances }) =>
        postTokenBalances.some(({ accountIndex }) => addresses[accountIndex] === address),
      );
      const listed = localChain.transactionsOf(address).map(({ signature }) => signature);
      expect(new Set(listed)).toEqual(new Set(named.map(({ signature }) => signature)));
    }
  });

  it('are found by signature and identical on every read', () => {
    const [first] = localChain.transactionsOf(localChain.addresses.vault);
    expect(localChain.transaction(first?.signature ?? '')).toBe(first);
    expect(localChain.transaction('1'.repeat(64))).toBeUndefined();
    for (const decoded of all.slice(0, 200)) {
      const again = localChain.transaction(decoded.signature);
      expect(again?.preBalances).toEqual(decoded.preBalances);
      expect(again?.wire).toEqual(decoded.wire);
    }
  });

  it('have balances for every account, none below zero', () => {
    const wrong = all.filter((decoded) => {
      const tokens = [...decoded.preTokenBalances, ...decoded.postTokenBalances];
      const used = decoded.inner.flatMap(({ instructions }) =>
        instructions.flatMap(({ programIdIndex, accounts }) => [programIdIndex, ...accounts]),
      );
      return (
        decoded.preBalances.length !== decoded.addresses.length ||
        decoded.postBalances.length !== decoded.addresses.length ||
        [...decoded.preBalances, ...decoded.postBalances].some((lamports) => lamports < 0n) ||
        tokens.some(({ accountIndex, amount }) => amount < 0n || accountIndex >= decoded.addresses.length) ||
        used.some((index) => index >= decoded.addresses.length) ||
        decoded.feeLamports < 5000n
      );
    });
    expect(wrong).toEqual([]);
  });
});

/** Net balance change of each token account over all transactions. */
function gains(isWanted: (mint: Address) => boolean): Map<string, bigint> {
  const gained = new Map<string, bigint>();
  for (const { addresses, preTokenBalances, postTokenBalances } of all) {
    const change = (list: typeof preTokenBalances, sign: bigint) => {
      for (const { accountIndex, mint, amount } of list) {
        const account = addresses[accountIndex];
        if (account === undefined || !isWanted(mint)) continue;
        gained.set(account, (gained.get(account) ?? 0n) + sign * amount);
      }
    };
    change(postTokenBalances, 1n);
    change(preTokenBalances, -1n);
  }
  return gained;
}

describe('the past', () => {
  it('adds up to the shares that every account holds', () => {
    const sharesMints = new Set<Address>(localChain.world.vaults.map(({ sharesMint }) => sharesMint.address));
    const gained = gains((mint) => sharesMints.has(mint));
    let accounts = 0;
    for (const [address, account] of localChain.programAccounts(TOKEN_PROGRAM)) {
      if (account.data.length !== 165) continue;
      const { mint, amount } = decodeTokenAccount(account);
      if (!sharesMints.has(mint)) continue;
      expect(gained.get(address) ?? 0n, address).toBe(amount);
      accounts += 1;
    }
    expect(accounts).toBeGreaterThan(300);
  });

  it('adds up to the deposits of every obligation, and to debts that interest alone has grown', () => {
    const positions = new Map<string, { deposited: bigint; borrowed: bigint }>();
    const sumsOf = (obligation: Address | null | undefined, reserve: Address | null | undefined) => {
      const key = `${obligation}/${reserve}`;
      const sums = positions.get(key) ?? { deposited: 0n, borrowed: 0n };
      positions.set(key, sums);
      return sums;
    };
    for (const decoded of all) {
      for (const [position, { name, accounts }] of decoded.instructions.entries()) {
        const inner = decoded.inner.find(({ index }) => index === position)?.instructions ?? [];
        // Farms and accounts that are opened are called too.
        const moves = inner.filter(
          ({ data }) => data.length === AMOUNT_BYTES || data.length === CHECKED_AMOUNT_BYTES,
        );
        const amounts = moves.map(({ data }) => Buffer.from(data).readBigUInt64LE(1));
        const reserve =
          accounts.reserve ?? accounts.withdrawReserve ?? accounts.borrowReserve ?? accounts.repayReserve;
        if (name.startsWith('liquidateObligation')) {
          sumsOf(accounts.obligation, accounts.repayReserve).borrowed -= amounts[0] ?? 0n;
          sumsOf(accounts.obligation, accounts.withdrawReserve).deposited -= amounts[1] ?? 0n;
          continue;
        }
        const sums = sumsOf(accounts.obligation, reserve);
        if (name.startsWith('depositReserve')) sums.deposited += amounts[1] ?? 0n;
        else if (name.startsWith('withdrawObligation')) sums.deposited -= amounts[0] ?? 0n;
        else if (name.startsWith('borrowObligation'))
          sums.borrowed += amounts.reduce((sum, amount) => sum + amount, 0n);
        else if (name.startsWith('repayObligation')) sums.borrowed -= amounts[0] ?? 0n;
      }
    }
    let debts = 0;
    for (const [address, obligation] of accountsOf(localChain, klend, obligationLayout)) {
      for (const { depositReserve, depositedAmount } of obligation.deposits) {
        if (presentAddress(depositReserve) === null) continue;
        expect(positions.get(`${address}/${depositReserve}`)?.deposited).toBe(depositedAmount);
      }
      for (const { borrowReserve, borrowedAmountSf } of obligation.borrows) {
        if (presentAddress(borrowReserve) === null) continue;
        const principal = positions.get(`${address}/${borrowReserve}`)?.borrowed ?? 0n;
        const owed = borrowedAmountSf >> 60n;
        expect(owed).toBeGreaterThanOrEqual(principal - 1n);
        debts += 1;
      }
    }
    expect(debts).toBeGreaterThan(300);
  });
});
