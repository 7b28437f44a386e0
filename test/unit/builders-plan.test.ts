import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import {
  type Address,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { planTransactions, type UnsignedTransaction } from '../../src/builders/plan/plan.ts';
import { instructionBundle } from '../../src/builders/transaction/bundle.ts';
import { computeBudget } from '../../src/builders/transaction/compute-budget.ts';
import { usableTables } from '../../src/builders/transaction/lookup-tables.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultExit } from '../../src/builders/vault/action.ts';
import { httpStatusOf, isCodedError } from '../../src/errors/sluice-error.ts';
import {
  accountsOf,
  addressNumber,
  type LendingSetting,
  LIFETIME,
  lendingChain,
  lendingRequest,
  NOW,
  SLOT,
  TABLE,
  tableAccount,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';

const FIRST: LendingSetting = { obligation: 'none', metadata: false, reserves: [{ farmCollateral: true }] };
/** Eight deposits and four debts: too large without tables. */
const WIDE: LendingSetting = {
  reserves: Array.from({ length: 12 }, () => ({ farmCollateral: true })),
  deposits: Array.from({ length: 8 }, (_, index) => [index, 10n ** 9n] as const),
  borrows: Array.from({ length: 4 }, (_, index) => [8 + index, 10n ** 6n] as const),
};

function deposit(setting: LendingSetting) {
  const accounts = lendingAccounts(lendingRequest('deposit'), lendingChain(setting), SLOT);
  return { accounts, ...buildLending(accounts, { tokens: parseDecimal('1') }, NOW).action };
}

const addressesOf = (setting: LendingSetting): Address[] => [
  ...new Set(deposit(setting).instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address))),
];

function plan(setting: LendingSetting, options: Partial<Parameters<typeof planTransactions>[0]> = {}) {
  const { instructions, accounts } = deposit(setting);
  return planTransactions({
    feePayer: WALLET,
    instructions,
    tables: accounts.tables,
    lifetime: LIFETIME,
    ...options,
  });
}

function opened({ base64 }: UnsignedTransaction, tables: Record<Address, readonly Address[]> = {}) {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  const transaction = getTransactionDecoder().decode(bytes);
  const message = decompileTransactionMessage(
    getCompiledTransactionMessageDecoder().decode(transaction.messageBytes),
    {
      addressesByLookupTableAddress: Object.fromEntries(Object.entries(tables).map(([k, v]) => [k, [...v]])),
    },
  );
  return { bytes, message };
}

describe('plan', () => {
  it('compiles an unsigned v0 transaction with one empty signature', () => {
    const [transaction, ...more] = plan(FIRST);
    if (transaction === undefined) throw new Error('nothing was planned');
    expect(more).toEqual([]);
    const { bytes, message } = opened(transaction);
    expect(bytes[0]).toBe(1);
    expect([...bytes.subarray(1, 65)].every((byte) => byte === 0)).toBe(true);
    expect(bytes.length).toBe(transaction.sizeBytes);
    expect(transaction.sizeBytes).toBeLessThan(1232);
    expect(message.feePayer.address).toBe(WALLET);
    expect(message.lifetimeConstraint).toMatchObject({ blockhash: LIFETIME.blockhash });
    expect(message.instructions).toHaveLength(deposit(FIRST).instructions.length);
    expect(transaction.bytesSavedByTables).toBe(0);
  });

  it('is deterministic', () => {
    expect(plan(WIDE, tablesFor(WIDE))).toEqual(plan(WIDE, tablesFor(WIDE)));
  });

  it('reports the exact bytes saved by a table', () => {
    const table = addressesOf({}).filter((address) => address !== WALLET);
    const [without] = plan({});
    const [withTable] = plan({ table });
    if (without === undefined || withTable === undefined) throw new Error('nothing was planned');
    expect(withTable.tablesUsed.map(({ address }) => address)).toEqual([TABLE]);
    expect(without.sizeBytes - withTable.sizeBytes).toBe(withTable.bytesSavedByTables);
    expect(withTable.bytesSavedByTables).toBeGreaterThan(200);
    expect(opened(withTable, { [TABLE]: table }).message.instructions).toHaveLength(
      withTable.instructions.length,
    );
  });

  it('skips a table that saves nothing, and combines several that do', () => {
    const all = addressesOf({}).filter((address) => address !== WALLET);
    const half = Math.ceil(all.length / 2);
    const localChain = accountsOf([
      tableAccount(addressNumber(50), all.slice(0, half)),
      tableAccount(addressNumber(51), all.slice(half)),
      tableAccount(addressNumber(52), all.slice(0, 1)),
    ]);
    const tables = usableTables([52, 50, 51].map(addressNumber), localChain, SLOT);
    const [transaction] = plan({}, { tables });
    const used = transaction?.tablesUsed.map(({ address }) => address) ?? [];
    expect([...used].sort()).toEqual([addressNumber(50), addressNumber(51)].sort());
    const [bare] = plan({}, { tables: [] });
    expect((bare?.sizeBytes ?? 0) - (transaction?.sizeBytes ?? 0)).toBe(transaction?.bytesSavedByTables);
  });

  it('skips deactivated, absent and invalid tables, and entries of the current slot', () => {
    const content = addressesOf({});
    const localChain = accountsOf([
      tableAccount(addressNumber(50), content, { deactivationSlot: SLOT - 5n }),
      tableAccount(addressNumber(51), content, { lastExtendedSlot: SLOT, lastExtendedStartIndex: 2 }),
      { address: addressNumber(52), owner: WALLET, data: new Uint8Array(80) },
    ]);
    const tables = usableTables([50, 51, 52, 53, 51].map(addressNumber), localChain, SLOT);
    expect(tables.map(({ address, usable }) => [address, usable])).toEqual([[addressNumber(51), 2]]);
    expect(tables[0]?.addresses).toEqual(content);
  });

  it('prepends a compute limit and a priority fee on request', () => {
    const [transaction] = plan({}, { computeUnitLimit: 300_000, priorityFeeMicroLamports: 5n });
    expect(transaction?.instructions.slice(0, 2).map(({ name }) => name)).toEqual([
      'setComputeUnitLimit',
      'setComputeUnitPrice',
    ]);
    expect(() => computeBudget({ computeUnitLimit: 1_400_001 })).toThrow(/1400000/);
    expect(() => computeBudget({ priorityFeeMicroLamports: -1n })).toThrow();
    expect(computeBudget({})).toEqual([]);
  });

  it('splits off set-up when everything does not fit in one transaction', () => {
    const table = addressesOf(WIDE).filter((_, index) => index % 3 !== 0);
    const tooLarge = { ...WIDE, table };
    const parts = splitting(tooLarge);
    expect(parts.length).toBe(2);
    const [setup, action] = parts;
    expect(setup?.instructions.every((each) => each.setup)).toBe(true);
    expect(action?.instructions.some((each) => each.setup)).toBe(false);
    for (const { sizeBytes } of parts) expect(sizeBytes).toBeLessThanOrEqual(1232);
  });

  it('throws with the size when it does not fit at all', () => {
    try {
      plan(WIDE);
      expect.unreachable();
    } catch (error) {
      if (!isCodedError(error, 'TRANSACTION_SIZE_ERROR')) throw error;
      expect(error.context.sizeBytes).toBeGreaterThan(1232);
      expect(error.context.sizeLimit).toBe(1232);
      expect(httpStatusOf(error)).toBe(400);
    }
  });
});

/** Drops entries from the table until the instructions no longer fit in one transaction. */
function splitting(setting: LendingSetting): UnsignedTransaction[] {
  for (let count = setting.table?.length ?? 0; count > 0; count -= 1) {
    const parts = plan({ ...setting, table: setting.table?.slice(0, count) ?? [] });
    if (parts.length > 1) return parts;
  }
  throw new Error('it never split');
}

function tablesFor(setting: LendingSetting) {
  const localChain = accountsOf([tableAccount(TABLE, addressesOf(setting))]);
  return { tables: usableTables([TABLE], localChain, SLOT) };
}

describe('bundle', () => {
  it('is the REST body: role names, signers, base64, whole tables', () => {
    const table = [addressNumber(60), addressNumber(61)];
    const { instructions, accounts } = deposit({ table });
    const bundle = instructionBundle(instructions, accounts.tables);
    expect(bundle.lutsByAddress).toEqual({ [TABLE]: table });
    expect(bundle.instructions).toHaveLength(instructions.length);
    const [creation] = bundle.instructions;
    expect(creation).toMatchObject({
      programAddress: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
      data: 'AQ==',
    });
    expect(creation?.accounts[0]).toEqual({
      address: WALLET,
      role: 'WRITABLE_SIGNER',
      signer: { address: WALLET },
    });
    expect(creation?.accounts[2]).toEqual({ address: WALLET, role: 'READONLY' });
    expect(JSON.parse(JSON.stringify(bundle))).toEqual(bundle);
  });

  it('has no compute budget', () => {
    const accounts = vaultAccounts(vaultRequest(), vaultChain({ shares: 5_000_000n }), SLOT);
    const { action } = buildVaultExit(accounts, { shares: parseDecimal('0.5') }, NOW);
    expect(action.instructions.map(({ name }) => name)).toEqual([
      'createAssociatedTokenIdempotent',
      'withdrawFromAvailable',
    ]);
  });
});
