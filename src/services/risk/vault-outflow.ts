import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { least, total, unitsPerToken } from '../../domain/arithmetic.ts';
import { redeemableNow } from '../../domain/reserve.ts';
import type { AllocationHolding } from '../../domain/vault.ts';
import {
  type LiquidityRecord,
  liquidityOver,
  type RecordedLiquidity,
  withdrawalCapWithin,
} from '../../domain/vault-outflow.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { recordedLiquidity } from '../history/reserve-liquidity.ts';
import { isInEmergency } from '../markets/markets.ts';
import type { Platform } from '../platform/platform.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { vaultAmount } from '../vaults/vaults.ts';

export type Horizon = 'HOUR' | 'DAY' | 'WEEK';

const SECONDS: Readonly<Record<Horizon, bigint>> = { HOUR: 3_600n, DAY: 86_400n, WEEK: 604_800n };
export const HORIZONS: readonly Horizon[] = ['HOUR', 'DAY', 'WEEK'];

/** Tokens of a vault that can leave it within some time. */
export interface VaultOutflow {
  readonly within: Horizon;
  /** Null when the liquidity of a reserve is not recorded for as long; so is `leastRecorded`. */
  readonly amount: TokenAmount | null;
  /** What could have left at once when each reserve had the least free liquidity of the period. */
  readonly leastRecorded: TokenAmount | null;
}

const HISTORY_ERRORS: readonly ErrorCode[] = ['HISTORY_DISABLED', 'HISTORY_STARTING', 'HISTORY_UNAVAILABLE'];

/** Amounts that can leave a vault in an hour, a day and a week. Null when a reserve of the vault cannot be read. */
export async function vaultOutflows(
  platform: Platform,
  session: Session,
  vault: VaultRecord,
): Promise<VaultOutflow[] | null> {
  const { view } = session;
  const holdings = Valuation.of(view).holdings(vault);
  if (holdings === null) return null;
  const used = holdings.allocations.filter(({ allocation }) => allocation.ctokenAllocation > 0n);
  const records = await Promise.all(used.map((holding) => recordOf(platform, session, holding)));
  return HORIZONS.map((within) => {
    const parts = used.map((holding, i) => leaving(session, holding, records[i] ?? [], SECONDS[within]));
    const known = parts.filter((part) => part !== null);
    const amountOf = (which: keyof Leaving) =>
      known.length < parts.length
        ? null
        : vaultAmount(
            view,
            vault,
            total([holdings.idle, ...known.map((part) => part[which])]).min(holdings.aum),
          );
    return { within, amount: amountOf('soon'), leastRecorded: amountOf('atWorst') };
  });
}

/** Empty without history. */
async function recordOf(
  platform: Platform,
  session: Session,
  { allocation }: AllocationHolding,
): Promise<readonly RecordedLiquidity[]> {
  const reserve = session.view.get('reserve', allocation.reserve);
  if (reserve === undefined) return [];
  try {
    return await recordedLiquidity(platform, session, reserve);
  } catch (error) {
    if (isCodedError(error) && HISTORY_ERRORS.includes(error.code)) return [];
    throw error;
  }
}

/** Base units. */
interface Leaving {
  readonly soon: Rational;
  readonly atWorst: Rational;
}

function leaving(
  { view }: Session,
  { reserve, invested }: AllocationHolding,
  hours: readonly RecordedLiquidity[],
  seconds: bigint,
): Leaving | null {
  const record = liquidityOver(hours, seconds);
  if (record === null || reserve === null || invested === null) return null;
  const { account, at } = reserve;
  const market = view.get('market', account.lendingMarket);
  const now = redeemableNow(reserve);
  const isClosed = market === undefined || isInEmergency(market) || account.config.emergencyMode !== 0;
  if (isClosed) return { soon: ZERO, atWorst: ZERO };
  const cap = withdrawalCapWithin(account.config.depositWithdrawalCap, at.timestamp, seconds);
  const units = inUnits(record, unitsPerToken(account.liquidity.mintDecimals));
  const limited = (free: Rational) =>
    roundToPublished(least([invested, free, ...(cap === null ? [] : [cap])]) ?? ZERO);
  return { soon: limited(now.add(units.inflow)), atWorst: limited(units.lowest) };
}

const inUnits = ({ inflow, lowest }: LiquidityRecord, units: bigint): LiquidityRecord => ({
  inflow: Rational.of(inflow.n * units, inflow.d),
  lowest: Rational.of(lowest.n * units, lowest.d),
});
