import { Decimal } from '@sluice/client';
import { health, type Shown, tokens, usd } from '../format/numbers.ts';
import type { Verb } from './action.ts';
import type { Explained, PositionEffect } from './explained.ts';

/** Parts of a sentence; what counts in it stands out. */
export type Words = readonly (string | { readonly strong: Shown })[];

/** An action in the figures that its sentences need. */
export interface Deed {
  readonly verb: Verb;
  /** Null for an action of a whole ticket. */
  readonly amount: Decimal | null;
  /** Unit of the amount: a token, or shares. */
  readonly unit: string;
  /** The token of the vault or reserve. */
  readonly symbol: string;
  /** Null for an action on a reserve. */
  readonly vault: VaultDeed | null;
  readonly health: Change | null;
}

export interface VaultDeed {
  readonly shares: Change | null;
  readonly tokens: Change | null;
  readonly yield: VaultYield | null;
  /** Null before the simulation. */
  readonly position: PositionEffect | null;
  readonly hasFarm: boolean;
}

/** Yield of a vault: of a share that is staked, and how much of it the farm pays. */
export interface VaultYield {
  readonly total: string;
  readonly farmRewards: string;
}

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

const ZERO = Decimal.of('0');
const strong = (value: Decimal, unit: string) => ({ strong: tokens(value, unit) });

/** The gain from one side to the other. Null when a side is unknown. */
export function growth(change: Change | null): Decimal | null {
  if (change === null || change.before === null || change.after === null) return null;
  return Decimal.of(change.after).minus(Decimal.of(change.before));
}

/** Nouns for messages: "Your deposit did not go through." */
export const NOUNS: Readonly<Record<Verb, string>> = {
  deposit: 'deposit',
  withdraw: 'withdrawal',
  borrow: 'loan',
  repay: 'repayment',
  queue: 'entry into the queue',
  cancel: 'cancellation',
  collect: 'collection',
  recover: 'recovery',
};

/** The effect in one or two sentences, before it happens. */
export function saidBefore(deed: Deed): Words {
  const { verb, amount, unit, vault } = deed;
  const what = amount === null ? null : strong(amount, unit);
  if (what === null)
    return [
      verb === 'collect'
        ? 'You are paid what the reserve can pay of your ticket now.'
        : 'You get back the collateral tokens of your ticket.',
    ];
  if (vault !== null)
    return verb === 'deposit' ? vaultDeposit(vault, what, deed) : vaultWithdrawal(vault, what, deed);
  const healthy = healthWords(deed.health);
  switch (verb) {
    case 'deposit':
      return ['You deposit ', what, ', which earns interest and stands behind your loans.', ...healthy];
    case 'withdraw':
      return ['You take out ', what, '.', ...healthy];
    case 'queue':
      return [
        'You put ',
        what,
        ' into the queue of this reserve, and are paid when it is your turn.',
        ...healthy,
      ];
    case 'borrow':
      return ['You borrow ', what, '.', ...healthy];
    case 'repay':
      return ['You repay ', what, '.', ...healthy];
    default:
      return ['You cancel ', what, ' of your ticket, which return to your deposit.'];
  }
}

function vaultDeposit(vault: VaultDeed, what: Words[number], { amount, symbol }: Deed): Words {
  const { position, hasFarm } = vault;
  const shares = growth(position?.totalShares ?? vault.shares);
  const got: Words =
    shares === null ? ['.'] : [' and get ', strong(shares, 'shares'), ...stakedWords(position, hasFarm)];
  const apy = apyAfter(vault);
  const earned = apy === null || amount === null ? null : amount.times(apy);
  const earns: Words =
    earned === null || earned.isZero || earned.isNegative
      ? []
      : [' They earn about ', strong(earned.truncated(6), symbol), ' a year at today’s rate.'];
  return ['You deposit ', what, ...got, ...earns];
}

function stakedWords(position: PositionEffect | null, hasFarm: boolean): Words {
  if (position === null || !hasFarm) return ['.'];
  return isZero(position.unstakedShares.after) ? [', all staked in the farm.'] : ['.'];
}

function vaultWithdrawal({ tokens: change }: VaultDeed, what: Words[number], { symbol }: Deed): Words {
  const got = growth(change);
  if (got === null) return ['You give back ', what, '.'];
  return ['You give back ', what, ' and get about ', strong(got.abs(), symbol), '.'];
}

function healthWords(change: Change | null): Words {
  if (change === null || change.after === null) return [];
  const text = (value: string): string => health(Decimal.of(value)).text;
  const after = { strong: health(Decimal.of(change.after)) };
  if (change.before === null) return [' Your health is ', after, ' then.'];
  return text(change.before) === text(change.after)
    ? [' Your health stays at ', after, '.']
    : [` Your health goes from ${text(change.before)} to `, after, '.'];
}

/** The same words afterwards. */
export function saidAfter({ verb, amount, unit, symbol, vault }: Deed): Words {
  const what = amount === null ? null : strong(amount, unit);
  if (what === null)
    return [verb === 'collect' ? 'Your ticket was paid.' : 'Your collateral tokens are back.'];
  const staked = vault?.position?.stakedShares.after ?? null;
  const all =
    vault?.hasFarm === true && staked !== null && isZero(vault.position?.unstakedShares.after ?? null);
  if (vault !== null && verb === 'deposit')
    return [
      'You deposited ',
      what,
      '.',
      ...(all ? [' All ', strong(Decimal.of(staked), 'shares'), ' are staked now.'] : []),
    ];
  if (vault !== null) {
    const got = growth(vault.tokens);
    return [
      'You gave back ',
      what,
      ...(got === null ? [] : [' and got about ', strong(got.abs(), symbol)]),
      '.',
    ];
  }
  const PAST = {
    deposit: 'deposited',
    withdraw: 'took out',
    borrow: 'borrowed',
    repay: 'repaid',
    cancel: 'cancelled',
  };
  if (verb === 'queue') return ['You put ', what, ' into the queue.'];
  return [`You ${PAST[verb as keyof typeof PAST]} `, what, '.'];
}

/** What else happens, that a balance of the wallet would show as a loss. Null when nothing does. */
export function surpriseOf({ verb, amount, vault }: Deed): Words | null {
  if (vault === null || vault.position === null) return null;
  const { position } = vault;
  if (verb === 'deposit') {
    const moved = growth(position.unstakedShares);
    if (moved === null || !moved.isNegative) return null;
    const more = farmEarnings(vault, moved.abs());
    return [
      'Your ',
      strong(moved.abs(), 'unstaked shares'),
      ' are staked too. Your wallet shows them as leaving; they stay yours',
      ...(more === null ? ['.'] : [` and earn about ${usd(more).text} more a year.`]),
    ];
  }
  const unstaked = growth(position.stakedShares);
  if (amount === null || unstaked === null || !unstaked.isNegative) return null;
  return [
    strong(unstaked.abs(), 'shares'),
    ' are taken out of the farm for this, and no longer earn its rewards.',
  ];
}

/** What the farm pays in a year for so many shares, in USD. */
function farmEarnings({ position, yield: rate }: VaultDeed, shares: Decimal): Decimal | null {
  const worth = position?.value.before?.usd ?? null;
  const all = position?.totalShares.before ?? null;
  if (rate === null || worth === null || all === null || Decimal.of(all).isZero) return null;
  const earned = Decimal.of(worth)
    .times(shares)
    .dividedBy(Decimal.of(all), 6)
    .times(Decimal.of(rate.farmRewards));
  return earned.compare(Decimal.of('0.01')) < 0 ? null : earned;
}

/** What the shares of the wallet earn: the farm pays those that are staked. Null when it is unknown. */
function apyOf(rate: VaultYield | null, staked: string | null, all: string | null): Decimal | null {
  if (rate === null || staked === null || all === null) return null;
  const farm = Decimal.of(rate.farmRewards);
  const bare = Decimal.of(rate.total).minus(farm);
  const total = Decimal.of(all);
  return total.isZero ? null : bare.plus(farm.times(Decimal.of(staked).dividedBy(total, 12)));
}

export const apyBefore = ({ position, yield: rate }: VaultDeed): Decimal | null =>
  apyOf(rate, position?.stakedShares.before ?? null, position?.totalShares.before ?? null);

export const apyAfter = ({ position, yield: rate }: VaultDeed): Decimal | null =>
  apyOf(rate, position?.stakedShares.after ?? null, position?.totalShares.after ?? null);

const isZero = (value: string | null): boolean => value !== null && Decimal.of(value).isZero;

/** Fees of the network for all transactions, in SOL. Null when one is unknown. */
export function networkFee({ transactions }: Explained): Decimal | null {
  let lamports = 0n;
  for (const { networkFeeLamports } of transactions) {
    if (networkFeeLamports === null) return null;
    lamports += BigInt(networkFeeLamports);
  }
  return lamports === 0n ? ZERO : Decimal.fromBaseUnits(lamports, 9);
}
