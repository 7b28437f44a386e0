import { roundParts } from '@sluice/protocol/numeric/decimal';
import { ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { markedObligation } from '../../../domain/pnl/obligation-pnl.ts';
import { DAY } from '../../../store/history/time-buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import type { Value } from '../../wallets/wallets.ts';
import { walletTimelines } from '../income/income-holdings.ts';
import { momentsOf } from '../moments.ts';
import { eventQuotes } from '../obligations/event-quotes.ts';
import { obligationPnl } from '../obligations/pnl.ts';
import type { ObligationTimeline } from '../obligations/timeline.ts';
import { positionPnlHistory } from '../vault-positions/position-pnl.ts';
import { walletEvents } from '../vault-positions/wallet-events.ts';

/** A part of the wallet, or all of it, at one time. */
export interface PnlPart {
  readonly value: Value;
  /** Paid in less paid out so far. */
  readonly investment: Value;
  /** `value` - `investment`, exactly. */
  readonly pnl: Value;
}

/** Profit and loss of a wallet up to a time: `total` is the exact sum of the two parts. Null where a price is unknown. */
export interface WalletPnlPoint {
  readonly time: Date;
  readonly vaults: PnlPart;
  readonly lending: PnlPart;
  readonly total: PnlPart;
}

export interface WalletPnlHistory {
  /** Ascending: each UTC midnight since the first transaction, and the end of the range, or now. */
  readonly points: readonly WalletPnlPoint[];
  /** Whether all transactions are known, account for every unit withdrawn, and no position is left out. */
  readonly complete: boolean;
  /** Whether no value of the points is null. */
  readonly priced: boolean;
  /** Whether the range has older points than the newest ones that were asked for. */
  readonly truncated: boolean;
}

interface Part {
  readonly net: Value;
  readonly invested: Value;
}

const WHAT = 'The profit and loss of a wallet';
const NO_VALUE: Value = { usd: ZERO, sol: ZERO };
const NO_PART: Part = { net: NO_VALUE, invested: NO_VALUE };

const histories = oncePerSession<WalletPnlHistory>();

/**
 * Profit and loss of all vault positions and obligations of a wallet over time: sums of what their own histories say.
 * Computed once per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export function walletPnlHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  range: RangeInput,
  maxPoints: number,
): Promise<WalletPnlHistory> {
  return histories(session, JSON.stringify([wallet, range, maxPoints]), () =>
    computeHistory(platform, session, wallet, range, maxPoints),
  );
}

async function computeHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  asked: RangeInput,
  maxPoints: number,
): Promise<WalletPnlHistory> {
  const { start, end } = resolveRange(session.view, asked);
  platform.historyFor(session, WHAT);
  const [{ byVault, complete: vaultsKnown }, { timelines, complete: lendingKnown }] = await Promise.all([
    walletEvents(platform, session, wallet),
    walletTimelines(platform, session, wallet),
  ]);
  const firsts = [...[...byVault.values()], ...timelines.map(({ events }) => events)].flatMap(
    ([first]) => first?.time ?? [],
  );
  if (firsts.length === 0) {
    return { points: [], complete: vaultsKnown && lendingKnown, priced: true, truncated: false };
  }
  // The end is exclusive: use the last whole second before it.
  const until = Math.ceil(end.getTime() / 1_000) - 1;
  const all = markTimes(Math.max(Math.min(...firsts), Math.ceil(start.getTime() / 1_000)), until);
  const times = all.slice(-maxPoints);
  const [vaults, lending] = await Promise.all([
    vaultParts(platform, session, wallet, [...byVault.keys()], asked, times),
    Promise.all(timelines.map((each) => lendingParts(platform, session, each, times))),
  ]);
  const points = await session.work.map(times, 1, (time) =>
    pointOf(time, vaults.at(time), sumOfParts(lending.map(({ at }) => at(time)))),
  );
  return {
    points,
    complete: vaultsKnown && lendingKnown && vaults.complete && lending.every(({ complete }) => complete),
    priced: points.every(({ total: { value, investment } }) =>
      [value.usd, value.sol, investment.usd, investment.sol].every((each) => each !== null),
    ),
    truncated: times.length < all.length,
  };
}

/** The UTC midnights after a time, and the end. */
function markTimes(from: number, until: number): number[] {
  const times: number[] = [];
  for (let time = Math.ceil(from / DAY) * DAY; time < until; time += DAY) times.push(time);
  return from > until ? [] : [...times, until];
}

interface Parts {
  at(time: number): Part;
  readonly complete: boolean;
}

/** The marks of the positions' own histories. */
async function vaultParts(
  platform: Platform,
  session: Session,
  wallet: Address,
  vaults: readonly Address[],
  range: RangeInput,
  times: readonly number[],
): Promise<Parts> {
  const known = vaults.flatMap((address) => session.view.get('vault', address) ?? []);
  const pnls = await Promise.all(
    known.map((vault) => positionPnlHistory(platform, session, wallet, vault, range)),
  );
  const sums = new Map<number, Part>(times.map((time) => [time, NO_PART]));
  for (const pnl of pnls) {
    for (const { time, type, positionValue, investment } of pnl?.rows ?? []) {
      const sum = sums.get(time);
      if (type !== 'mark-to-market' || sum === undefined) continue;
      const pause = session.work.step();
      if (pause !== null) await pause;
      sums.set(time, sumOfParts([sum, { net: positionValue, invested: investment }]));
    }
  }
  return {
    at: (time) => sums.get(time) ?? NO_PART,
    complete: known.length === vaults.length && pnls.every((pnl) => pnl?.complete === true),
  };
}

async function lendingParts(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  times: readonly number[],
): Promise<Parts> {
  const { events } = timeline;
  const now = Number(session.view.moment.timestamp);
  const last = times.at(-1);
  const valued = new Set([...events.map(({ time }) => time), ...times]);
  const reserves = [...new Set(events.map(({ reserve }) => reserve))];
  const db = platform.historyFor(session, WHAT);
  const [{ quotes }, present] = await Promise.all([
    eventQuotes(db, session, momentsOf(reserves, valued), false),
    obligationPnl(platform, session, timeline, 'obligation_all_time', false),
  ]);
  // A midnight in the same second as an event is marked before the event, as in the history of a vault position.
  const marks = times.map((time) => ({ time, before: time === last ? time + 1 : time }));
  const marked = await session.work.run(markedObligation(events, quotes, marks));
  const byTime = new Map(times.map((time, i) => [time, marked[i] ?? NO_PART]));
  // The account says more precisely than the fold what is owed now.
  if (last === now) byTime.set(now, { net: plus(present, present.invested), invested: present.invested });
  return { at: (time) => byTime.get(time) ?? NO_PART, complete: present.complete };
}

function plus(a: Value, b: Value): Value {
  return {
    usd: a.usd && b.usd && a.usd.add(b.usd).reduced(),
    sol: a.sol && b.sol && a.sol.add(b.sol).reduced(),
  };
}

const sumOfParts = (parts: readonly Part[]): Part =>
  parts.reduce(
    (sum, part) => ({ net: plus(sum.net, part.net), invested: plus(sum.invested, part.invested) }),
    NO_PART,
  );

function pointOf(time: number, vaults: Part, lending: Part): WalletPnlPoint {
  const rounded = (unit: keyof Value) =>
    roundParts([
      vaults.net[unit] ?? ZERO,
      vaults.invested[unit] ?? ZERO,
      lending.net[unit] ?? ZERO,
      lending.invested[unit] ?? ZERO,
    ] as const);
  const [usd, sol] = [rounded('usd'), rounded('sol')];
  const shown = (of: Part, net: 0 | 2, invested: 1 | 3): Part => ({
    net: { usd: of.net.usd && usd[net], sol: of.net.sol && sol[net] },
    invested: { usd: of.invested.usd && usd[invested], sol: of.invested.sol && sol[invested] },
  });
  const ofVaults = shown(vaults, 0, 1);
  const ofLending = shown(lending, 2, 3);
  return {
    time: new Date(time * 1_000),
    vaults: published(ofVaults),
    lending: published(ofLending),
    total: published(sumOfParts([ofVaults, ofLending])),
  };
}

function published({ net, invested }: Part): PnlPart {
  const profit = (unit: keyof Value) => {
    const [value, paid] = [net[unit], invested[unit]];
    return value && paid && value.sub(paid);
  };
  return { value: net, investment: invested, pnl: { usd: profit('usd'), sol: profit('sol') } };
}
