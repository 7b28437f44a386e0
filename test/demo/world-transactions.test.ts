import {
  AccountRole,
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerTransaction } from '../../src/demo/ledger.ts';
import { createDemoLedger, type DemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { decodeInstruction, knownInstructions } from '../../src/programs/instructions.ts';
import { obligation as obligationLayout } from '../../src/programs/klend/obligation.ts';
import { reserve as reserveLayout } from '../../src/programs/klend/reserve.ts';
import { decodeLookupTable } from '../../src/programs/lookup-table/lookup-table.ts';
import { MAINNET_PROGRAMS, presentAddress, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import { decodeTokenAccount } from '../../src/programs/token/token-account.ts';
import { accountsOf, decoded } from './world-reading.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const known = knownInstructions(MAINNET_PROGRAMS);
const base58 = getBase58Decoder();
let now = Date.UTC(2026, 5, 15, 13, 20);
let ledger: DemoLedger;
let all: LedgerTransaction[];

beforeAll(() => {
  ledger = createDemoLedger({ now: () => now });
  for (let i = 0; i < 300; i += 1) {
    now += 400;
    ledger.tick();
  }
  const bySignature = new Map<string, LedgerTransaction>();
  for (const { address } of ledger.world.wallets) {
    for (const transaction of ledger.transactionsOf(address))
      bySignature.set(transaction.signature, transaction);
  }
  all = [...bySignature.values()];
});

/** The instructions of a transaction by name, read from its bytes and the lookup tables of the chain. */
function instructionsOf(transaction: LedgerTransaction) {
  const { messageBytes } = getTransactionDecoder().decode(transaction.wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 0) throw new Error('a version 0 message');
  const tables = (message.addressTableLookups ?? []).map((lookup) => {
    const account = ledger.account(lookup.lookupTableAddress);
    if (account === undefined) throw new Error(`no table ${lookup.lookupTableAddress}`);
    return { lookup, entries: decodeLookupTable(account).addresses };
  });
  const addresses = [
    ...message.staticAccounts,
    ...tables.flatMap(({ lookup, entries }) => lookup.writableIndexes.map((i) => entries[i])),
    ...tables.flatMap(({ lookup, entries }) => lookup.readonlyIndexes.map((i) => entries[i])),
  ];
  expect(addresses).toEqual(transaction.addresses);
  const at = (index: number): Address => {
    const address = addresses[index];
    if (address === undefined) throw new Error(`no account ${index}`);
    return address;
  };
  return message.instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) =>
    decodeInstruction(known, {
      programAddress: at(programAddressIndex),
      accounts: accountIndices.map((i) => ({ address: at(i), role: AccountRole.READONLY })),
      data: Uint8Array.from(data),
    }),
  );
}

describe('transactions', () => {
  it('decode from their bytes, fit a packet and name what they are listed under', () => {
    expect(all.length).toBeGreaterThan(3000);
    for (const transaction of all) {
      expect(transaction.wire.length).toBeLessThanOrEqual(1232);
      const { signatures } = getTransactionDecoder().decode(transaction.wire);
      const [[payer, signature] = []] = Object.entries(signatures);
      expect(payer).toBe(transaction.addresses[0]);
      expect(signature === null || signature === undefined ? '' : base58.decode(signature)).toBe(
        transaction.signature,
      );
      expect(instructionsOf(transaction).length).toBeGreaterThan(0);
    }
    expect(all.some(({ loadedWritable }) => loadedWritable.length > 0)).toBe(true);
    expect(all.some(({ loadedWritable }) => loadedWritable.length === 0)).toBe(true);
    const names = new Set(all.flatMap((each) => instructionsOf(each).map(({ name }) => name)));
    for (const name of [
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
    ]) {
      expect(names).toContain(name);
    }
  });

  it('are listed under addresses that they name, newest first', () => {
    const { addresses, world } = ledger;
    const shares = [...(world.wallets[0]?.holdings.values() ?? [])].map(({ address }) => address);
    for (const address of [
      addresses.wallet,
      addresses.vault,
      addresses.market,
      addresses.reserve,
      addresses.obligation,
      addresses.sharesMint,
      addresses.tokenMint,
      ...shares,
      klend,
      kvault,
      farms,
      TOKEN_PROGRAM,
    ]) {
      const listed = ledger.transactionsOf(address);
      if (!shares.includes(address)) expect(listed.length, address).toBeGreaterThan(0);
      for (const [i, transaction] of listed.entries()) {
        if (i < 100) expect(transaction.addresses, address).toContain(address);
        expect(transaction.slot).toBeLessThanOrEqual(listed[i - 1]?.slot ?? transaction.slot);
      }
    }
  });

  it('are found by signature', () => {
    const [first] = ledger.transactionsOf(ledger.addresses.vault);
    expect(ledger.transaction(first?.signature ?? '')).toBe(first);
    expect(ledger.transaction('1'.repeat(64))).toBeUndefined();
  });

  it('have balances for every account, paid by the payer', () => {
    for (const transaction of all) {
      const { addresses, preBalances, postBalances, feeLamports } = transaction;
      expect(preBalances.length).toBe(addresses.length);
      expect(postBalances.length).toBe(addresses.length);
      expect(feeLamports).toBeGreaterThanOrEqual(5000n);
      for (const lamports of [...preBalances, ...postBalances]) expect(lamports).toBeGreaterThanOrEqual(0n);
      for (const { accountIndex, amount } of [
        ...transaction.preTokenBalances,
        ...transaction.postTokenBalances,
      ]) {
        expect(accountIndex).toBeGreaterThan(0);
        expect(accountIndex).toBeLessThan(addresses.length);
        expect(amount).toBeGreaterThanOrEqual(0n);
      }
      for (const { instructions } of transaction.inner) {
        for (const { programIdIndex, accounts } of instructions) {
          expect(programIdIndex).toBeGreaterThan(0);
          for (const index of accounts) expect(index).toBeLessThan(addresses.length);
        }
      }
    }
  });
});

/** What each account gained over all transactions, and its balance after the newest. */
function folded(mintOfInterest: (mint: Address) => boolean) {
  const gained = new Map<string, bigint>();
  const oldestFirst = [...all].sort((a, b) => Number(a.slot - b.slot));
  for (const { addresses, preTokenBalances, postTokenBalances } of oldestFirst) {
    const change = (list: typeof preTokenBalances, sign: bigint) => {
      for (const { accountIndex, mint, amount } of list) {
        const account = addresses[accountIndex];
        if (account === undefined || !mintOfInterest(mint)) continue;
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
    const sharesMints = new Set<Address>(ledger.world.vaults.map(({ sharesMint }) => sharesMint.address));
    const gained = folded((mint) => sharesMints.has(mint));
    let accounts = 0;
    for (const [address, account] of ledger.programAccounts(TOKEN_PROGRAM)) {
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
    for (const transaction of all) {
      for (const [position, { name, accounts }] of instructionsOf(transaction).entries()) {
        const inner = transaction.inner.find(({ index }) => index === position)?.instructions ?? [];
        const amounts = inner.map(({ data }) => Buffer.from(data).readBigUInt64LE(1));
        const reserve =
          accounts['reserve'] ??
          accounts['withdrawReserve'] ??
          accounts['borrowReserve'] ??
          accounts['repayReserve'];
        const key = `${accounts['obligation']}/${reserve}`;
        const sums = positions.get(key) ?? { deposited: 0n, borrowed: 0n };
        if (name.startsWith('depositReserve')) sums.deposited += amounts[1] ?? 0n;
        else if (name.startsWith('withdrawObligation')) sums.deposited -= amounts[0] ?? 0n;
        else if (name.startsWith('borrowObligation'))
          sums.borrowed += amounts.reduce((sum, amount) => sum + amount, 0n);
        else if (name.startsWith('repayObligation')) sums.borrowed -= amounts[0] ?? 0n;
        else continue;
        positions.set(key, sums);
      }
    }
    let debts = 0;
    for (const [address, obligation] of accountsOf(ledger, klend, obligationLayout)) {
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
    expect(
      decoded(ledger, reserveLayout, ledger.addresses.borrowReserve).liquidity.borrowedAmountSf,
    ).toBeGreaterThan(0n);
  });
});
