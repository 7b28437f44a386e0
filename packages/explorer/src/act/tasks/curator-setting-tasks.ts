import { type Action, Decimal } from '@sluice/client';
import { type CuratedVault, KEPT, U64_MOST } from './curated-vault.ts';
import { checkbox, field, optional, words } from './field.ts';
import {
  NO_ADDRESS,
  readAddressOrNone,
  readBps,
  readCap,
  readText,
  readTokens,
  readWhole,
  type TokenUnit,
} from './read.ts';
import { given, type Task, task } from './task.ts';

const MOST_FEE_BPS = 10_000n;
const MOST_SMALL_BPS = 1_000n;
const NAME_BYTES = 40;

const CHARGES = 'The vault charges its fees up to now first.';

type ConfigInput = Extract<Action, { readonly setVaultConfig: unknown }>['setVaultConfig'];
type Settings = {
  readonly [Key in keyof Omit<ConfigInput, 'wallet' | 'vault' | 'options'>]?: ConfigInput[Key] | undefined;
};

/** Null while all fields are empty: the gateway refuses a change of nothing. */
function configOf({ address }: CuratedVault, wallet: string, settings: Settings): Action | null {
  const changed = given(settings);
  return Object.keys(changed).length === 0
    ? null
    : { setVaultConfig: { wallet, vault: address, ...changed } };
}

const tokensNow = (units: string, { symbol, decimals }: TokenUnit): string =>
  `Now ${Decimal.fromBaseUnits(units, decimals).format({ places: decimals })} ${symbol}.`;
const percentNow = (bps: string): string => `Now ${Decimal.fromBaseUnits(bps, 2).format()}%.`;
const addressNow = (address: string): string =>
  `${address === NO_ADDRESS ? 'Now none.' : `Now ${address}.`} “none” takes it away.`;

/** 0 and the largest number both mean that there is no cap. */
const capNow = (units: string, unit: TokenUnit): string =>
  units === '0' || units === U64_MOST.toString()
    ? 'Now no cap. “none” for no cap.'
    : `${tokensNow(units, unit)} “none” for no cap.`;

export function feesTask(vault: CuratedVault): Task {
  const { state, token } = vault;
  return task({
    name: 'Change fees',
    about: `Sets what the vault charges from now on. ${CHARGES} ${KEPT}`,
    symbol: token.symbol,
    fields: {
      performance: optional(
        field('Performance fee, percent of what the vault earns', readBps(MOST_FEE_BPS), {
          hint: percentNow(state.performanceFeeBps),
        }),
      ),
      management: optional(
        field('Management fee, percent of the assets a year', readBps(MOST_SMALL_BPS), {
          hint: percentNow(state.managementFeeBps),
        }),
      ),
      penalty: optional(
        field('Withdrawal penalty, percent', readBps(MOST_SMALL_BPS), {
          hint: percentNow(state.withdrawalPenaltyBps),
        }),
      ),
      leastPenalty: optional(
        field(`Smallest withdrawal penalty in ${token.symbol}`, readTokens(token), {
          hint: tokensNow(state.withdrawalPenaltyLamports, token),
        }),
      ),
    },
    actionOf: (wallet, { performance, management, penalty, leastPenalty }) =>
      configOf(vault, wallet, {
        performanceFeeBps: performance,
        managementFeeBps: management,
        withdrawalPenaltyBps: penalty,
        withdrawalPenalty: leastPenalty,
      }),
  });
}

export function limitsTask(vault: CuratedVault): Task {
  const { state, token } = vault;
  const amount = (label: string, units: string) =>
    optional(field(`${label} in ${token.symbol}`, readTokens(token), { hint: tokensNow(units, token) }));
  return task({
    name: 'Change limits',
    about: `Limits deposits, withdrawals and investments. ${KEPT}`,
    symbol: token.symbol,
    fields: {
      depositCap: optional(
        field(`Deposit cap in ${token.symbol}`, readCap(token), { hint: capNow(state.depositCap, token) }),
      ),
      minDeposit: amount('Smallest deposit', state.minDepositAmount),
      minWithdraw: amount('Smallest withdrawal', state.minWithdrawAmount),
      minInvest: amount('Smallest investment', state.minInvestAmount),
      delay: optional(
        field('Slots between two investments in a reserve', readWhole(U64_MOST), {
          hint: `Now ${state.minInvestDelaySlots}. A slot takes about 0.4 seconds.`,
        }),
      ),
      crankFee: amount('Added by a deposit to the crank funds, per reserve,', state.crankFundFeePerReserve),
    },
    actionOf: (wallet, { depositCap, minDeposit, minWithdraw, minInvest, delay, crankFee }) =>
      configOf(vault, wallet, {
        depositCap,
        minDeposit,
        minWithdraw,
        minInvest,
        minInvestDelaySlots: delay,
        crankFeePerReserve: crankFee,
      }),
  });
}

export function idleTask(vault: CuratedVault): Task {
  const { state, token } = vault;
  return task({
    name: 'Change what stays idle',
    about: `Sets how much of the vault no reserve is to get, so that it can be withdrawn at once. ${KEPT}`,
    symbol: token.symbol,
    fields: {
      weight: optional(
        field('Weight of idle tokens', readWhole(U64_MOST), { hint: `Now ${state.unallocatedWeight}.` }),
      ),
      cap: optional(
        field(`Most that stays idle, in ${token.symbol}`, readCap(token), {
          hint: capNow(state.unallocatedTokensCap, token),
        }),
      ),
    },
    actionOf: (wallet, { weight, cap }) =>
      configOf(vault, wallet, { unallocatedWeight: weight, unallocatedCap: cap }),
  });
}

export const nameTask = (vault: CuratedVault): Task =>
  task({
    name: 'Rename the vault',
    about: 'Changes the name that everyone sees.',
    symbol: vault.token.symbol,
    fields: {
      name: words('Name, at most 40 bytes', readText(NAME_BYTES), {
        ...(vault.state.name === '' ? {} : { hint: `Now ${vault.state.name}.` }),
      }),
    },
    actionOf: (wallet, { name }) => configOf(vault, wallet, { name }),
  });

export function accountsTask(vault: CuratedVault): Task {
  const { state, token } = vault;
  return task({
    name: 'Change farm, lookup table and co-signer',
    about: `Accounts that work together with the vault. ${KEPT}`,
    symbol: token.symbol,
    fields: {
      lookupTable: optional(
        words('Lookup table', readAddressOrNone, { hint: addressNow(state.vaultLookupTable) }),
      ),
      farm: optional(
        words('Farm that stakes the shares of deposits', readAddressOrNone, {
          hint: addressNow(state.vaultFarm),
        }),
      ),
      firstLossFarm: optional(
        words('Farm with the capital that bears losses first', readAddressOrNone, {
          hint: '“none” takes it away.',
        }),
      ),
      permissioningAuthority: optional(
        words('Address that must sign every deposit and withdrawal', readAddressOrNone, {
          hint: `${addressNow(state.permissioningAuthority)} With one, nobody can withdraw without it.`,
        }),
      ),
    },
    actionOf: (wallet, addresses) => configOf(vault, wallet, addresses),
  });
}

export const listedTask = (vault: CuratedVault): Task =>
  task({
    name: 'Keep to listed reserves',
    about:
      'Restricts the vault to reserves on the list of the vault program. You cannot take this back: only the admin of the program can.',
    symbol: vault.token.symbol,
    fields: {
      allocations: checkbox('Weights and caps grow for listed reserves only', false),
      invests: checkbox('Tokens are added to listed reserves only', false),
    },
    actionOf: (wallet, { allocations, invests }) =>
      configOf(vault, wallet, {
        allocationsInWhitelistedReservesOnly: allocations ? true : undefined,
        investsInWhitelistedReservesOnly: invests ? true : undefined,
      }),
  });

export const handOverTask = (vault: CuratedVault): Task =>
  task({
    name: 'Name a new admin',
    about: `The pending admin can take the vault over with a signature of its own; until then you stay the admin. The allocation admin may change weights and caps of reserves that the vault uses. ${KEPT}`,
    symbol: vault.token.symbol,
    fields: {
      pendingAdmin: optional(
        words('Pending admin', readAddressOrNone, { hint: addressNow(vault.state.pendingAdmin) }),
      ),
      allocationAdmin: optional(
        words('Allocation admin', readAddressOrNone, { hint: addressNow(vault.state.allocationAdmin) }),
      ),
    },
    actionOf: (wallet, { pendingAdmin, allocationAdmin }) =>
      configOf(vault, wallet, { pendingAdmin, allocationAdmin }),
  });

/** The program keeps more places than the token has. */
const RATE_PLACES = 18;

export const rewardRateTask = (vault: CuratedVault): Task =>
  task({
    name: 'Change the rate of rewards',
    about: `Sets how fast the vault releases the rewards that it holds. ${CHARGES}`,
    symbol: vault.token.symbol,
    fields: {
      perSecond: field(
        `Rewards per second in ${vault.token.symbol}`,
        readTokens({ symbol: 'The rate', decimals: RATE_PLACES }),
        { hint: `0 stops them.` },
      ),
    },
    actionOf: (wallet, { perSecond }) => configOf(vault, wallet, { rewardPerSecond: perSecond }),
  });
