import { placePoint } from '@sluice/protocol/numeric/decimal';
import { floorScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { sharesToTokens, usedAllocations } from '../../domain/vault.ts';
import type { Amount } from '../amount.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';
import { vaultWithdrawEffect } from './effects.ts';
import { holdingsAt, payableNow } from './exit.ts';
import { redemptionEffect } from './redemption.ts';
import { exitParts } from './withdraw.ts';

/** Shares that are exchanged for collateral tokens of a reserve, to wait in its withdraw queue. */
export interface QueuedShares {
  readonly reserve: Address;
  readonly shares: Amount;
  /** Value of the collateral tokens, base units of the vault's token. */
  readonly tokens: bigint;
}

/** An exit that takes what is there and queues the rest. Base units of shares. */
export interface ExitSplit {
  /** Withdrawn now; null when the vault can pay nothing. */
  readonly now: Amount | null;
  readonly queued: readonly QueuedShares[];
  /** Shares for which the vault has no reserve with an open queue. */
  readonly left: bigint;
}

/** A plan has six steps at most: a withdrawal, and an exchange and a ticket for each reserve. */
const MOST_RESERVES = 2;

/**
 * Splits an exit: as much as idle tokens and the liquidity of the reserves pay is withdrawn, the rest is exchanged for the
 * collateral tokens of which the vault has most.
 *
 * @param isQueueOpen whether the withdraw queue of a reserve accepts tickets
 */
export function splitExit(
  accounts: VaultAccounts,
  asked: Amount,
  moment: Moment,
  isQueueOpen: (reserve: Address) => boolean,
): ExitSplit {
  const whole = exitParts(accounts, asked, moment);
  if (whole.covered) return { now: asked, queued: [], left: 0n };
  const wanted = lesser(asked === 'all' ? whole.held : asked, whole.held);
  const now = payableShares(accounts, wanted, moment);
  const paid = exitParts(accounts, now, moment);
  const effect = vaultWithdrawEffect(accounts, now > 0n ? paid.parts : [], paid.held, moment);
  const isPaid = now > 0n && !effect.refused;
  let rest = isPaid ? wanted - effect.shares : wanted;
  let after = isPaid ? { ...accounts, vault: effect.vault, reserves: effect.reserves } : accounts;
  const queued: QueuedShares[] = [];
  const candidates = usedAllocations(accounts.vault)
    .map(({ reserve }) => reserve)
    .filter(isQueueOpen);
  while (rest > 0n && queued.length < MOST_RESERVES) {
    const best = largestRedemption(after, candidates, rest, moment);
    if (best === null) break;
    const { shares, isCut, valueSf } = best.terms;
    queued.push({
      reserve: best.reserve,
      shares: isCut ? shares : rest,
      tokens: floorScaled(valueSf),
    });
    rest = isCut ? rest - shares : 0n;
    after = { ...after, vault: best.effect.vault, reserves: best.effect.reserves };
  }
  const last = queued.at(-1);
  const isAll = asked === 'all' && rest === 0n;
  return {
    now: isPaid ? now : null,
    queued: last && isAll ? [...queued.slice(0, -1), { ...last, shares: 'all' }] : queued,
    left: rest,
  };
}

/** The most shares, up to the wanted ones, that idle tokens and available liquidity pay. */
function payableShares(accounts: VaultAccounts, wanted: bigint, moment: Moment): bigint {
  const holdings = holdingsAt(accounts, moment);
  const value = sharesToTokens(accounts.vault, holdings, integer(wanted));
  if (value.n === 0n) return 0n;
  return lesser(payableNow(accounts, holdings).mul(integer(wanted)).div(value).floor(), wanted);
}

/** The reserve from which the vault can give most for the shares; null when it can give nothing. */
function largestRedemption(
  accounts: VaultAccounts,
  reserves: readonly Address[],
  shares: bigint,
  moment: Moment,
) {
  const redemptions = reserves
    .map((reserve) => ({ reserve, ...redemptionEffect(accounts, reserve, shares, moment) }))
    .filter(({ terms }) => terms.refusal === null)
    .sort((a, b) => (a.terms.valueSf < b.terms.valueSf ? 1 : -1));
  return redemptions[0] ?? null;
}

/** Says which shares stay. */
export function leftWarnings({ vault }: VaultAccounts, left: bigint): BuildWarning[] {
  if (left === 0n) return [];
  const shares = placePoint(left, Number(vault.sharesMintDecimals));
  const message = `${shares} shares stay: the vault cannot pay them now, and none of its other reserves accepts tickets in its withdraw queue. Try again later.`;
  return [warning('SHARES_LEFT', message)];
}
