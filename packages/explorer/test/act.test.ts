import { describe, expect, it } from 'vitest';
import type { ActionPreview } from '../../client/src/index.ts';
import type { LendingLimits, LimitedLoan, VaultLimits } from '../src/act/act-documents.ts';
import { actionOf, takesAmount, verbsOf } from '../src/act/action.ts';
import { localnetWalletOf } from '../src/act/localnet-wallet.ts';
import { lendingMaximum, ticketMaximum, vaultMaximum, vaultUnit } from '../src/act/maximum.ts';
import { previewRows, queueAmounts } from '../src/act/preview-rows.ts';

const USDC = { id: 'usdc', mint: 'mint-usdc', symbol: 'USDC', decimals: 6 };
const SOL = { id: 'sol', mint: 'mint-sol', symbol: 'SOL', decimals: 9 };

const spendable = (baseUnits: string) => [
  { baseUnits: '7', token: SOL },
  { baseUnits, token: USDC },
];

const VAULT: NonNullable<VaultLimits['vault']> = {
  id: 'v',
  address: 'vault',
  name: 'Vault',
  token: USDC,
  sharesToken: { id: 's', symbol: 'kvUSDC', decimals: 8 },
  minimums: { deposit: { amount: '0' }, withdraw: { amount: '0' } },
  held: { id: 'p', totalShares: '12.00000001' },
};

const LOAN: LimitedLoan = {
  id: 'o',
  address: 'loan',
  tag: 'VANILLA',
  tagNumber: 0,
  owed: [
    { reserveAddress: 'other', amount: { baseUnits: '1' } },
    { reserveAddress: 'reserve', amount: { baseUnits: '2500001' } },
  ],
  owned: [{ reserveAddress: 'reserve', amount: { baseUnits: '7000000' } }],
  maxBorrow: { baseUnits: '40000000' },
  maxWithdraw: { baseUnits: '0' },
};

const limits = (baseUnits: string): LendingLimits => ({
  wallet: { id: 'w', spendable: spendable(baseUnits), loans: { nodes: [LOAN] } },
  reserve: { id: 'r', address: 'reserve', token: USDC },
});

const shown = ({ amount, all }: ReturnType<typeof vaultMaximum>) => [amount?.toString() ?? null, all];

describe('the most that can be moved in a vault', () => {
  const of = (wallet: VaultLimits['wallet'], vault: VaultLimits['vault'] = VAULT) => ({ wallet, vault });

  it('is the balance of its token for a deposit, sent as an amount', () => {
    expect(shown(vaultMaximum(of({ id: 'w', spendable: spendable('1234567') }), 'deposit'))).toEqual([
      '1.234567',
      false,
    ]);
  });

  it('is nothing when the wallet does not hold the token, and unknown when balances cannot be read', () => {
    expect(shown(vaultMaximum(of({ id: 'w', spendable: [] }), 'deposit'))).toEqual(['0', false]);
    expect(shown(vaultMaximum(of({ id: 'w', spendable: null }), 'deposit'))).toEqual([null, false]);
  });

  it.each([
    ['60182138335', '60.132138335'],
    ['50000000', '0'],
    ['7', '0'],
  ])('leaves SOL for fees and rent in a wallet with %s lamports', (lamports, most) => {
    const token = { ...SOL, mint: 'So11111111111111111111111111111111111111112' };
    const wallet = { id: 'w', spendable: [{ baseUnits: lamports, token }] };
    expect(shown(vaultMaximum(of(wallet, { ...VAULT, token }), 'deposit'))).toEqual([most, false]);
  });

  it('is every share for a withdrawal, sent as all', () => {
    expect(shown(vaultMaximum(of({ id: 'w', spendable: [] }), 'withdraw'))).toEqual(['12.00000001', true]);
    expect(vaultUnit(VAULT, 'withdraw')).toEqual({ symbol: 'shares', decimals: 8 });
  });
});

describe('the most that can be moved in a reserve', () => {
  it('is what the gateway allows to borrow and to withdraw', () => {
    expect(shown(lendingMaximum(limits('0'), 'borrow', LOAN))).toEqual(['40', true]);
    expect(shown(lendingMaximum(limits('0'), 'withdraw', LOAN))).toEqual(['0', true]);
    expect(shown(lendingMaximum(limits('0'), 'borrow', { ...LOAN, maxBorrow: null }))).toEqual([null, true]);
  });

  it('is the deposit for an entry into the withdraw queue, whatever the liquidity', () => {
    expect(shown(lendingMaximum(limits('0'), 'queue', LOAN))).toEqual(['7', true]);
    expect(shown(lendingMaximum(limits('0'), 'queue', { ...LOAN, owned: [] }))).toEqual(['0', true]);
  });

  it('is the value of a ticket, and unknown for one that is not listed', () => {
    const ticket = { address: 't', sequenceNumber: '3', ticketsAhead: '1', amount: { baseUnits: '2500001' } };
    const { reserve } = limits('0');
    const of = (nodes: (typeof ticket)[]) => ({ wallet: { id: 'w', waiting: { nodes } }, reserve });
    expect(shown(ticketMaximum(of([ticket]), 't'))).toEqual(['2.500001', true]);
    expect(shown(ticketMaximum(of([]), 't'))).toEqual([null, true]);
  });

  it('is the whole debt when the wallet can pay it, otherwise the balance', () => {
    expect(shown(lendingMaximum(limits('2500001'), 'repay', LOAN))).toEqual(['2.500001', true]);
    expect(shown(lendingMaximum(limits('2500000'), 'repay', LOAN))).toEqual(['2.5', false]);
  });

  it('is nothing without a loan, except for a deposit', () => {
    expect(shown(lendingMaximum(limits('5000000'), 'borrow', null))).toEqual(['0', true]);
    expect(shown(lendingMaximum(limits('5000000'), 'repay', null))).toEqual(['0', true]);
    expect(shown(lendingMaximum(limits('5000000'), 'deposit', null))).toEqual(['5', false]);
  });
});

describe('the input of an action', () => {
  const vault = { kind: 'vault', vault: 'v' } as const;
  const lending = { kind: 'lending', market: 'm', reserve: 'r' } as const;

  it('has tokens for a deposit and shares for a withdrawal of a vault', () => {
    expect(actionOf({ target: vault, verb: 'deposit', wallet: 'w', amount: '1.5', loan: null })).toEqual({
      vaultDeposit: { wallet: 'w', vault: 'v', amount: { tokens: '1.5' } },
    });
    expect(actionOf({ target: vault, verb: 'withdraw', wallet: 'w', amount: '2', loan: null })).toEqual({
      vaultWithdraw: { wallet: 'w', vault: 'v', amount: { shares: '2' } },
    });
    expect(actionOf({ target: vault, verb: 'withdraw', wallet: 'w', amount: 'all', loan: null })).toEqual({
      vaultWithdraw: { wallet: 'w', vault: 'v', amount: { all: 'ALL' } },
    });
  });

  it.each([
    ['deposit', 'lendingDeposit'],
    ['withdraw', 'lendingWithdraw'],
    ['borrow', 'lendingBorrow'],
    ['repay', 'lendingRepay'],
    ['queue', 'enqueueWithdraw'],
  ] as const)('names the loan of a %s', (verb, name) => {
    const input = { wallet: 'w', market: 'm', reserve: 'r', amount: { tokens: '3' } };
    expect(actionOf({ target: lending, verb, wallet: 'w', amount: '3', loan: 'o' })).toEqual({
      [name]: { ...input, obligation: { address: 'o' } },
    });
    expect(actionOf({ target: lending, verb, wallet: 'w', amount: '3', loan: null })).toEqual({
      [name]: input,
    });
  });

  it('is borrowed and repaid only in a market', () => {
    expect(verbsOf(vault)).toEqual(['deposit', 'withdraw']);
    expect(verbsOf(lending)).toEqual(['deposit', 'withdraw', 'queue', 'borrow', 'repay']);
  });

  it('is of an amount of a ticket, or of the whole ticket', () => {
    const place = { kind: 'ticket', market: 'm', reserve: 'r', ticket: 't' } as const;
    const target = { ...place, state: 'QUEUED' } as const;
    expect(verbsOf(target)).toEqual(['cancel', 'collect']);
    expect(verbsOf({ ...place, state: 'CANCELLED' })).toEqual(['collect']);
    expect(verbsOf({ ...place, state: 'INVALID' })).toEqual(['recover']);
    expect([...verbsOf(target), 'recover' as const].map(takesAmount)).toEqual([true, false, false]);
    const given = { target, wallet: 'w', amount: '2', loan: null };
    expect(actionOf({ ...given, verb: 'cancel' })).toEqual({
      cancelWithdrawTicket: { wallet: 'w', ticket: 't', amount: { tokens: '2' } },
    });
    expect(actionOf({ ...given, verb: 'collect' })).toEqual({
      withdrawQueued: { wallet: 'w', market: 'm', reserve: 'r', ticket: 't' },
    });
    expect(actionOf({ ...given, verb: 'recover' })).toEqual({
      recoverWithdrawTicket: { wallet: 'w', ticket: 't' },
    });
  });
});

describe('the preview of an action', () => {
  const NOTHING: ActionPreview = {
    tokens: null,
    shares: null,
    netValueUsd: null,
    healthFactor: null,
    loanToValue: null,
    borrowLimitUsd: null,
    maxBorrowUsd: null,
    supplyInterestApy: null,
    borrowInterestApy: null,
    utilization: null,
    leverage: null,
    debtTokens: null,
    stakedShares: null,
    unstakedShares: null,
    elevationGroup: null,
    withdrawQueue: null,
    fees: [],
    warnings: [],
  };

  it('leaves out values that do not apply', () => {
    const preview = { ...NOTHING, shares: { before: null, after: null } };
    expect(previewRows(preview, 'deposit', 'USDC')).toEqual([]);
  });

  it('keeps values that are unknown on one side, and says what that means', () => {
    const preview = {
      ...NOTHING,
      tokens: { before: '5', after: '0' },
      healthFactor: { before: '1.2', after: null },
    };
    const rows = previewRows(preview, 'repay', 'USDC');
    expect(rows.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['Debt in USDC', '5', '0'],
      ['Health factor', '1.2', null],
    ]);
    expect(rows[1]?.absent).toContain('No debt');
  });

  it('shows the ticket of a withdraw queue, and what it pays', () => {
    const token = { mint: 'mint-usdc', symbol: 'USDC', decimals: 6 };
    const withdrawQueue = {
      ticket: 't',
      sequenceNumber: '3',
      ticketsAhead: '0',
      state: null,
      collateral: { before: '4', after: '0' },
      tokens: { before: '5', after: '0' },
      paid: { amount: '5', usd: '5', token },
      returned: null,
      rent: null,
    };
    const preview = { ...NOTHING, withdrawQueue };
    expect(previewRows(preview, 'collect', 'USDC').map(({ name, after }) => [name, after])).toEqual([
      ['Ticket in USDC', '0'],
      ['Collateral tokens in the ticket', '0'],
    ]);
    expect(queueAmounts(preview)).toEqual([{ name: 'Paid to the owner', amount: '5', symbol: 'USDC' }]);
    expect(queueAmounts(NOTHING)).toEqual([]);
  });

  it('names tokens by the side that changes', () => {
    const preview = { ...NOTHING, tokens: { before: '0', after: '1' } };
    expect(previewRows(preview, 'withdraw', 'SOL')[0]?.name).toBe('Deposit in SOL');
    expect(previewRows(preview, 'borrow', 'SOL')[0]?.name).toBe('Debt in SOL');
  });
});

describe('the localnet wallet', () => {
  const secretKey = Array.from({ length: 64 }, (_, index) => index);

  it('is read from the page of the localnet', () => {
    expect(localnetWalletOf({ wallet: 'w', secretKey, note: 'x' })).toEqual({ address: 'w', secretKey });
  });

  it.each([
    null,
    'text',
    {},
    { wallet: 'w' },
    { wallet: 'w', secretKey: [1, 2] },
    { wallet: 'w', secretKey: secretKey.with(0, 256) },
    { wallet: 1, secretKey },
  ])('is not read from %j', (page) => {
    expect(localnetWalletOf(page)).toBeNull();
  });
});
