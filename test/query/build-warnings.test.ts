import { farmState } from '@sluice/protocol/farms/farm-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { MAX_BORROWS, obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { WARNINGS, type WarningCode } from '../../src/builders/warnings.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';
import { SWAP_TRIGGERS } from '../support/builders/swap-triggers.ts';
import type { ReserveInput } from '../support/domain/domain-accounts.ts';

const { klend, kvault } = MAINNET_PROGRAMS;

const localChain = new TestChain();
let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ chain: localChain, frozen: true });
});
afterEach(() => localChain.restore());
afterAll(() => gateway?.stop());

type Field =
  | `buildLending${'Deposit' | 'Borrow' | 'Repay' | 'Withdraw'}`
  | `buildVault${'Deposit' | 'Withdraw'}`;
type Amount = Readonly<Record<string, string>>;

interface Result {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly warnings?: readonly { readonly level: string; readonly code: string; readonly message: string }[];
}

interface Trigger {
  readonly code: WarningCode;
  readonly field: Field;
  readonly amount: Amount;
  /** Difference from the generated world. */
  readonly alter?: () => void;
  /** The reserve acted on; by default the wallet's deposit, or its debt for borrows and repayments. */
  readonly reserve?: () => Address;
}

function alter<F extends Fields>(layout: AccountLayout<F>, address: Address, fields: StructInput<F>): void {
  localChain.place(address, withFields(layout, accountIn(localChain, address), fields));
}

const alterDebt = (fields: ReserveInput) => alter(reserve, localChain.addresses.borrowReserve, fields);
const alterDeposit = (fields: ReserveInput) => alter(reserve, localChain.addresses.depositReserve, fields);
const nowSeconds = () => BigInt(localChain.blockTime(localChain.slot) ?? 0);

/** Gives the wallet that much wrapped SOL. */
function wrapped(amount: bigint): void {
  const { wallet } = localChain.addresses;
  const data = encodeTokenAccount({
    mint: WRAPPED_SOL_MINT,
    owner: wallet,
    amount,
    delegate: null,
    delegatedAmount: 0n,
    frozen: false,
    nativeRentLamports: 2_039_280n,
    closeAuthority: null,
    extensions: [],
  });
  const { address } = associatedTokenAddress(wallet, TOKEN_PROGRAM, WRAPPED_SOL_MINT);
  localChain.place(address, { ...accountIn(localChain, wallet), owner: TOKEN_PROGRAM, data });
}

/** Reserves of the market besides the wallet's deposit. */
function otherReserves(): Address[] {
  const { market, depositReserve } = localChain.addresses;
  return [...localChain.programAccounts(klend)]
    .filter(([address, account]) => {
      if (address === depositReserve || account.data.length !== reserve.size) return false;
      return reserve.decode(account, klend).lendingMarket === market;
    })
    .map(([address]) => address);
}

/** An obligation that owes as many reserves as one can. */
function fillDebts(): void {
  const borrows = otherReserves()
    .slice(0, MAX_BORROWS)
    .map((borrowReserve) => ({
      borrowReserve,
      borrowedAmountSf: 1_000n * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
    }));
  expect(borrows).toHaveLength(MAX_BORROWS);
  alter(obligation, localChain.addresses.obligation, { borrows });
}

/** A group for everything that the wallet has deposited and its one debt, better than none. */
function offerGroup(): void {
  const { market, borrowReserve, obligation: address } = localChain.addresses;
  const { deposits } = obligation.decode(accountIn(localChain, address), klend);
  const group = {
    id: 1,
    ltvPct: 95,
    liquidationThresholdPct: 97,
    allowNewLoans: 1,
    maxReservesAsCollateral: 8,
    debtReserve: borrowReserve,
  };
  alter(lendingMarket, market, { elevationGroups: [group] });
  const config = {
    elevationGroups: Uint8Array.of(1),
    borrowLimitAgainstThisCollateralInElevationGroup: [U64_MAX],
  };
  const used = deposits.map(({ depositReserve }) => depositReserve).filter((each) => each !== NO_ADDRESS);
  for (const each of new Set([borrowReserve, ...used])) alter(reserve, each, { config });
}

const vaultFarm = () =>
  vaultState.decode(accountIn(localChain, localChain.addresses.vault), kvault).vaultFarm;

/** One token is borrowed, or deposited, in a world that is different. */
const borrow = (code: WarningCode, change: () => void): Trigger => ({
  code,
  field: 'buildLendingBorrow',
  amount: { tokens: '1' },
  alter: change,
});
const deposit = (code: WarningCode, change: () => void): Trigger => ({
  ...borrow(code, change),
  field: 'buildLendingDeposit',
});

const NO_ORACLE = { priceFeed: NO_ADDRESS };

const cap = () => ({
  configCapacity: 1n,
  currentTotal: 0n,
  lastIntervalStartTimestamp: nowSeconds(),
  configIntervalLengthSeconds: 86_400n,
});

const TRIGGERS: readonly Trigger[] = [
  { code: 'BALANCE_TOO_LOW', field: 'buildVaultDeposit', amount: { tokens: '9000000000' } },
  {
    code: 'AMOUNT_BELOW_MINIMUM',
    field: 'buildVaultDeposit',
    amount: { tokens: '1' },
    alter: () => alter(vaultState, localChain.addresses.vault, { minDepositAmount: 1_000_001n }),
  },
  { code: 'ABOVE_POSITION', field: 'buildLendingRepay', amount: { tokens: '90000000' } },
  deposit('DEPOSIT_LIMIT_EXCEEDED', () => alterDeposit({ config: { depositLimit: 1n } })),
  borrow('BORROW_LIMIT_EXCEEDED', () => alterDebt({ config: { borrowLimit: 1n } })),
  borrow('OUTFLOW_CAP_EXCEEDED', () => alterDebt({ config: { debtWithdrawalCap: cap() } })),
  borrow('LIQUIDITY_TOO_LOW', () => alterDebt({ liquidity: { totalAvailableAmount: 1n } })),
  borrow('UTILIZATION_BLOCK', () => alterDebt({ config: { utilizationLimitBlockBorrowingAbovePct: 1 } })),
  borrow('BORROW_NOT_ALLOWED', () =>
    alter(lendingMarket, localChain.addresses.market, { borrowDisabled: 1 }),
  ),
  deposit('ACTION_NOT_ALLOWED', () =>
    alter(lendingMarket, localChain.addresses.market, { emergencyMode: 1 }),
  ),
  deposit('NEEDS_PERMISSION', () =>
    alter(lendingMarket, localChain.addresses.market, {
      permissioningAuthority: localChain.addresses.emptyWallet,
      permissionedOps: 1n,
    }),
  ),
  { code: 'COLLATERAL_TOO_LOW', field: 'buildLendingBorrow', amount: { tokens: '90000000' } },
  { ...borrow('OBLIGATION_FULL', fillDebts), reserve: () => localChain.addresses.depositReserve },
  deposit('RESERVE_NOT_ACTIVE', () => alterDeposit({ config: { status: 1 } })),
  { code: 'HEALTH_LOW', field: 'buildLendingBorrow', amount: { tokens: '90000000' } },
  borrow('PRICE_REFUSED', () => alterDebt({ config: { tokenInfo: { blockPriceUsage: 1 } } })),
  borrow('PRICE_STALE', () => alterDebt({ config: { tokenInfo: { scopeConfiguration: NO_ORACLE } } })),
  borrow('PRICE_UNKNOWN', () =>
    alterDebt({
      liquidity: { marketPriceSf: 0n },
      config: { tokenInfo: { scopeConfiguration: NO_ORACLE } },
    }),
  ),
  {
    code: 'UNSTAKE_COOLDOWN',
    field: 'buildVaultWithdraw',
    amount: { all: 'ALL' },
    alter: () => alter(farmState, vaultFarm(), { withdrawalCooldownPeriod: 60 }),
  },
  { code: 'WITHDRAWAL_PENALTY', field: 'buildVaultWithdraw', amount: { shares: '1' } },
  borrow('BETTER_ELEVATION_GROUP', offerGroup),
  deposit('WSOL_LEFT_OVER', () => wrapped(5n)),
  { ...deposit('WSOL_UNWRAPPED', () => wrapped(5n)), field: 'buildLendingWithdraw' },
];

async function build({ field, amount, reserve: chosen }: Trigger, options: object = {}): Promise<Result> {
  const { wallet, vault, market, borrowReserve, depositReserve } = localChain.addresses;
  const lends = field.startsWith('buildLending');
  const usual =
    field === 'buildLendingBorrow' || field === 'buildLendingRepay' ? borrowReserve : depositReserve;
  const where = lends ? { market, reserve: chosen?.() ?? usual } : { vault };
  const type = lends ? 'LendingActionInput' : `${field.slice('build'.length)}Input`;
  const answer = await gateway.query<{ result: Result }>(
    `mutation ($input: ${type}!) { result: ${field}(input: $input) { __typename
      ... on BuildError { code message }
      ... on TransactionPlan { warnings { level code message } }
    } }`,
    { variables: { input: { wallet, ...where, amount, options } } },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.result;
}

const codes = ({ warnings = [] }: Result) => warnings.map(({ code }) => code);
const seen = new Set<string>();

/** Codes of options and of other actions; each is triggered in test/unit/builders-warnings.test.ts. */
const OF_OTHERS: readonly WarningCode[] = [
  'ALLOCATION_IN_USE',
  'INVEST_TOO_SOON',
  'NOTHING_TO_INVEST',
  'NO_FEES_TO_WITHDRAW',
  'PART_OF_FEES',
  'RESERVE_NOT_WHITELISTED',
  'REWARDS_NOT_RELEASED',
  'COLLATERAL_NOT_REDEEMED',
  'COLLATERAL_ORDER',
  'BORROW_ORDER_UNFILLABLE',
  'CUT_BY_DEPOSIT_CAP',
  'DEPOSIT_CAP_REACHED',
  'ELEVATION_GROUP_ACTIVE',
  'ELEVATION_GROUP_CLOSED',
  'ELEVATION_GROUP_COLLATERAL',
  'ELEVATION_GROUP_DEBT',
  'ELEVATION_GROUP_NEEDED',
  'ELEVATION_GROUP_UNKNOWN',
  'FILLED_IN_PART',
  'LIQUIDATION_ORDER',
  'LTV_WOULD_RISE',
  'NEW_OWNER_CANNOT_ACCEPT',
  'NOT_LIQUIDATABLE',
  'OBLIGATION_MAY_CHANGE',
  'ORDERS_STAY',
  'ORDER_ABSENT',
  'ORDER_PAUSED',
  'ORDER_REPLACED',
  'ORDER_TRIGGERED_NOW',
  'ORDER_WITHOUT_BONUS',
  'QUEUE_NOT_NEEDED',
  'RECEIVED_TOO_LITTLE',
  'REDEEMED_IN_PART',
  'REFERRAL_FEE_LEFT_OUT',
  'REFERRAL_FEE_OFF',
  'REFERRER_FINAL',
  'RENT_FROM_WALLET',
  'REWARDS_STAY',
  'REWARD_LEFT_OUT',
  'ROLLED_OVER_IN_PART',
  'ROLLOVER_ENDS_EARLIER',
  'ROLLOVER_RATE_HIGHER',
  'ROLLOVER_SETTINGS_CLEARED',
  'ROUNDED_PAYOUT',
  'SHARES_LEFT',
  'STAKE_NOT_ALLOWED',
  'STAKE_WARM_UP',
  'TICKET_UNPAYABLE',
  'TIP_ABOVE_BALANCE',
  ...SWAP_TRIGGERS.map(([code]) => code),
  'NEW_VAULT_SIGNS',
  'ROLLOVER_RATE_UNLIMITED',
  'ROLLOVER_UNAVAILABLE',
];

describe('warnings of lending and vault actions', () => {
  it.each(TRIGGERS)('$code by $field', async (trigger) => {
    const { code } = trigger;
    const { level } = WARNINGS[code];
    // Without the change, the same build has no such warning: the change is what it is about.
    if (trigger.alter !== undefined) expect(codes(await build(trigger))).not.toContain(code);
    trigger.alter?.();
    const plan = await build(trigger);
    expect(plan.__typename).toBe('TransactionPlan');
    const found = plan.warnings?.find((each) => each.code === code);
    expect(found).toMatchObject({ level });
    expect(found?.message.length).toBeGreaterThan(20);
    seen.add(code);

    const strict = await build(trigger, { strict: true });
    const refuses = plan.warnings?.some((each) => each.level === 'ERROR');
    if (level === 'ERROR') expect(refuses).toBe(true);
    expect(strict).toMatchObject(
      refuses ? { __typename: 'BuildRefused', code: 'BUILD_REFUSED' } : { __typename: 'TransactionPlan' },
    );
    if (level === 'ERROR') expect(strict.message).toContain(code);
  });

  it('every code of these actions was triggered', () => {
    expect([...seen, ...OF_OTHERS].sort()).toEqual(Object.keys(WARNINGS).sort());
  });
});
