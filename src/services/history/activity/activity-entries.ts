import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../../../domain/arithmetic.ts';
import { inSol } from '../../../domain/price.ts';
import { isCodedError } from '../../../errors/sluice-error.ts';
import type { UnreadTransaction } from '../../../store/transactions/activity-sources.ts';
import type { ActivityEvent, ActivityKey } from '../../../store/transactions/read-activity.ts';
import type { StoredLendingEvent } from '../../../store/transactions/read-lending-events.ts';
import type { StoredQueueEvent } from '../../../store/transactions/read-queue-events.ts';
import type { StoredVaultEvent } from '../../../store/transactions/read-vault-events.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import { tokenInView } from '../obligations/point.ts';
import {
  transactionAmount,
  transactionLiquidity,
  transactionValue,
} from '../obligations/transaction-values.ts';
import { type FarmTransaction, farmTransactionsOf } from '../vault-positions/farm-values.ts';
import { transactionsOf, type VaultTransaction } from '../vault-positions/vault-transactions.ts';
import type {
  ActivityEntry,
  FarmEntry,
  LendingEntry,
  QueueEntry,
  UnknownPart,
  UnreadEntry,
  VaultEntry,
} from './activity-entry.ts';
import {
  kindOfFarmEvent,
  kindOfLendingEvent,
  kindOfQueueEvent,
  kindOfVaultEvent,
  type VaultActivityKind,
} from './activity-kinds.ts';

/**
 * The entries of events, in order, valued at the prices of their time by the functions of the lists of each product. The
 * number of statements does not depend on the number of events, up to 200.
 */
export async function activityEntries(
  platform: Platform,
  session: Session,
  events: readonly ActivityEvent[],
): Promise<ActivityEntry[]> {
  const vaultEvents = events.flatMap((each) => (each.source === 'vault' ? [each] : []));
  const lendingEvents = events.flatMap((each) => (each.source === 'lending' ? [each] : []));
  const farmEvents = events.flatMap((each) => (each.source === 'farm' ? [each] : []));
  const queueEvents = events.flatMap((each) => (each.source === 'queue' ? [each] : []));
  const [ofVaults, ofLending, ofQueues, ofFarms] = await Promise.all([
    transactionsOf(
      platform,
      session,
      vaultEvents.map(({ event }) => event),
    ),
    Promise.all(lendingEvents.map(({ key, event }) => lendingEntry(platform, session, key, event))),
    Promise.all(queueEvents.map(({ key, event }) => queueEntry(platform, session, key, event))),
    farmTransactionsOf(
      platform,
      session,
      farmEvents.map(({ event }) => event),
    ),
  ]);
  const known = new Map<ActivityKey, ActivityEntry>([
    ...vaultEvents.map(
      ({ key, event }, i) => [key, vaultEntry(key, event, ofVaults[i])] satisfies [ActivityKey, VaultEntry],
    ),
    ...ofLending.map((entry) => [entry.key, entry] satisfies [ActivityKey, LendingEntry]),
    ...ofQueues.map((entry) => [entry.key, entry] satisfies [ActivityKey, QueueEntry]),
    ...farmEvents.flatMap(({ key }, i): [ActivityKey, FarmEntry][] => {
      const transaction = ofFarms[i];
      return transaction === undefined ? [] : [[key, farmEntry(key, transaction)]];
    }),
  ]);
  return events.flatMap((each) => {
    const entry = each.source === 'unread' ? unreadEntry(each.key, each.event) : known.get(each.key);
    return entry ?? [];
  });
}

const NOTHING_MOVED = { sent: null, received: null, fee: null, reward: null };

function vaultEntry(
  key: ActivityKey,
  event: StoredVaultEvent,
  valued: VaultTransaction | Error | undefined,
): VaultEntry {
  const kind = kindOfVaultEvent(event.kind);
  const facts = {
    product: 'VAULT',
    key,
    kind,
    createdAt: instantOf(event),
    final: event.final,
    vault: event.vault,
    sharesChange: SHARES_SIGN[kind] * event.shares,
    counterparty: event.counterparty,
  } as const;
  if (valued === undefined || valued instanceof Error) {
    return { ...facts, ...NOTHING_MOVED, tokens: null, unknown: ['TOKEN'] };
  }
  // Without a share price the tokens are zero and have no value.
  const isUnpriced = event.tokens === null && valued.sharePrice === null && valued.tokens.amount.isZero;
  const tokens = isUnpriced ? null : valued.tokens;
  const shares = sharesMoved(valued);
  const sides: Partial<Pick<VaultEntry, 'sent' | 'received'>> = {
    VAULT_DEPOSIT: { sent: tokens },
    VAULT_WITHDRAWAL: { received: tokens },
    SHARES_RECEIVED: { received: shares },
    SHARES_SENT: { sent: shares },
    VAULT_INVEST: {},
  }[kind];
  const isUnknown = tokens === null && (kind === 'VAULT_DEPOSIT' || kind === 'VAULT_WITHDRAWAL');
  return {
    ...facts,
    ...NOTHING_MOVED,
    ...sides,
    tokens,
    unknown: isUnknown ? ['AMOUNT'] : unvalued([valued.tokens]),
  };
}

const SHARES_SIGN: Readonly<Record<VaultActivityKind, bigint>> = {
  VAULT_DEPOSIT: 1n,
  SHARES_RECEIVED: 1n,
  VAULT_WITHDRAWAL: -1n,
  SHARES_SENT: -1n,
  VAULT_INVEST: 0n,
};

/** The shares as an amount of the share mint, with the value of the tokens that they stand for. */
function sharesMoved({ event, vault, tokens }: VaultTransaction): TokenAmount {
  const { sharesMint, sharesMintDecimals } = vault.value;
  return valuedAmount({ mint: sharesMint, decimals: sharesMintDecimals }, integer(event.shares), tokens);
}

async function lendingEntry(
  platform: Platform,
  session: Session,
  key: ActivityKey,
  event: StoredLendingEvent,
): Promise<LendingEntry> {
  const kind = kindOfLendingEvent(event.kind);
  const [amount, liquidity, fee] = await Promise.all([
    amountOf(platform, session, event),
    transactionLiquidity(platform, session, event),
    kind === 'BORROW' && event.fee > 0n ? feeOf(platform, session, event) : null,
  ]);
  const paidByOwner = event.owner === null || event.signer === event.owner;
  const moved: Partial<Pick<LendingEntry, 'sent' | 'received'>> = {
    COLLATERAL_DEPOSIT: { sent: paidByOwner ? amount : null },
    COLLATERAL_WITHDRAWAL: { received: amount },
    BORROW: { received: amount },
    REPAYMENT: { sent: paidByOwner ? amount : null },
    LIQUIDATION: {},
  }[kind];
  const debt = event.liquidity ?? 0n;
  const isTaken = kind === 'COLLATERAL_WITHDRAWAL' || kind === 'LIQUIDATION';
  return {
    product: 'LENDING',
    key,
    kind,
    createdAt: instantOf(event),
    final: event.final,
    ...NOTHING_MOVED,
    ...moved,
    fee,
    amount,
    liquidity,
    obligation: event.obligation,
    market: event.market,
    reserve: event.reserve,
    side: event.side,
    collateralChange: isTaken ? -event.collateral : event.collateral,
    debtChange: event.side === 'collateral' ? 0n : kind === 'BORROW' ? debt + event.fee : -debt,
    signer: event.signer,
    unknown: amount === null ? ['TOKEN'] : unvalued([amount, fee]),
  };
}

/** Null for a reserve that no longer exists or cannot be read. */
async function amountOf(
  platform: Platform,
  session: Session,
  event: StoredLendingEvent,
): Promise<TokenAmount | null> {
  try {
    return await transactionAmount(platform, session, event);
  } catch (error) {
    if (ACCOUNT_FAULTS.some((code) => isCodedError(error, code))) return null;
    throw error;
  }
}

const ACCOUNT_FAULTS = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_DISCRIMINATOR',
  'KLEND_RESERVE_NOT_FOUND',
] as const;

/** Null when the reserve is not in the View. */
async function feeOf(
  platform: Platform,
  session: Session,
  event: StoredLendingEvent,
): Promise<TokenAmount | null> {
  const token = tokenInView(session.view, event.reserve);
  if (token === undefined) return null;
  const { tokenPriceUsd, solPriceUsd } = await transactionValue(platform, session, event);
  const fee = Rational.of(event.fee);
  const usd = tokenPriceUsd && toTokens(fee, token.decimals).mul(tokenPriceUsd);
  return valuedAmount(token, fee, { usd, sol: inSol(usd, solPriceUsd) });
}

function farmEntry(key: ActivityKey, { event, mint, amount }: FarmTransaction): FarmEntry {
  const kind = kindOfFarmEvent(event.kind);
  const moved: Partial<Pick<FarmEntry, 'sent' | 'received' | 'reward'>> = {
    STAKE: { sent: amount },
    UNSTAKE: {},
    STAKE_WITHDRAWAL: { received: amount },
    REWARD: { reward: amount },
  }[kind];
  const stakeChange = { STAKE: event.amount, UNSTAKE: event.amount && -event.amount }[kind as string];
  return {
    product: 'FARM',
    key,
    kind,
    createdAt: instantOf(event),
    final: event.final,
    ...NOTHING_MOVED,
    ...moved,
    farm: event.farm,
    mint,
    stakeChange: stakeChange === undefined ? 0n : stakeChange,
    unknown: event.amount === null ? ['AMOUNT'] : amount === null ? ['TOKEN'] : unvalued([amount]),
  };
}

/** Valued as if the tokens were withdrawn from an obligation. */
async function queueEntry(
  platform: Platform,
  session: Session,
  key: ActivityKey,
  event: StoredQueueEvent,
): Promise<QueueEntry> {
  const kind = kindOfQueueEvent(event.kind);
  const { ticket, market, reserve, vault, signer, wallet, collateral } = event;
  const { signature, slot, place, index, time, final } = event;
  const as: StoredLendingEvent = {
    ...{ signature, slot, place, index, time, final, market, reserve, signer, collateral },
    ...{ kind: 'withdraw', side: 'collateral', fee: 0n, instruction: null },
    obligation: ticket,
    owner: wallet,
    liquidity: event.liquidity,
  };
  const [amount, liquidity] = await Promise.all([
    amountOf(platform, session, as),
    transactionLiquidity(platform, session, as),
  ]);
  const entered = kind === 'QUEUE_ENTERED';
  return {
    product: 'WITHDRAW_QUEUE',
    key,
    kind,
    createdAt: instantOf(event),
    final,
    ...NOTHING_MOVED,
    ...(entered ? { sent: amount } : { received: amount }),
    ticket,
    market,
    reserve,
    vault,
    ticketChange: entered ? collateral : -collateral,
    liquidity,
    signer,
    unknown: amount === null ? ['TOKEN'] : unvalued([amount]),
  };
}

const unreadEntry = (key: ActivityKey, { reason }: UnreadTransaction): UnreadEntry => ({
  product: null,
  key,
  kind: 'UNREAD',
  createdAt: null,
  final: true,
  ...NOTHING_MOVED,
  reason,
  unknown: ['TRANSACTION'],
});

const instantOf = ({ time }: { readonly time: number }): Date => new Date(time * 1_000);

/** The denominations in which an amount has no value. */
function unvalued(amounts: readonly (TokenAmount | null)[]): UnknownPart[] {
  const known = amounts.filter((each) => each !== null);
  return [
    ...(known.some(({ usd }) => usd === null) ? (['USD'] as const) : []),
    ...(known.some(({ sol }) => sol === null) ? (['SOL'] as const) : []),
  ];
}
