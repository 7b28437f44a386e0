import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { LendingEvent, VaultEvent } from '@sluice/protocol/transactions/events';
import { named } from '../../../packages/protocol/test/support/transaction-maker.ts';
import type { Denominated } from '../../../src/domain/pnl/denominated.ts';
import type { VaultMarket } from '../../../src/domain/pnl/vault-pnl.ts';

export const DAY = 86_400;
const DECIMALS = 6;

/** Whole units as base units of six decimals. */
export const units = (text: string) =>
  parseDecimal(text)
    .mul(Rational.of(10n ** BigInt(DECIMALS)))
    .floor();

/** A vault event in whole units; `tokens` null as in transfers. */
export function vaultEvent(
  kind: VaultEvent['kind'],
  time: number,
  shares: string,
  tokens: string | null,
): VaultEvent {
  return {
    kind,
    vault: named('vault'),
    wallet: named('wallet'),
    tokens: tokens === null ? null : units(tokens),
    shares: units(shares),
    reserve: null,
    reserveTokens: 0n,
    counterparty: null,
    signature: `${kind} at ${time}`,
    slot: BigInt(Math.floor(time)),
    time,
    index: 0,
  };
}

export type Steps = readonly (readonly [from: number, value: string])[];

/** A value that changes at given times; null before the first. */
export function steps(list: Steps): (time: number) => Rational | null {
  return (time) => {
    const value = list.findLast(([from]) => from <= time)?.[1];
    return value === undefined ? null : parseDecimal(value);
  };
}

/** A market whose prices change at given times. */
export function marketOf(shares: Steps, tokenUsd: Steps, solUsd: Steps, tokenIsSol = false): VaultMarket {
  const tokensPerShare = steps(shares);
  return {
    tokensPerShare: (time) => tokensPerShare(time) ?? parseDecimal('1'),
    tokenUsd: steps(tokenUsd),
    solUsd: steps(solUsd),
    tokenIsSol,
    decimals: DECIMALS,
  };
}

/** Decimal strings of usd, sol and token; null where unknown. */
export function denominatedText({ usd, sol, token }: Denominated): [string | null, string | null, string] {
  return [text(usd), text(sol), toDecimalString(token)];
}

export function text(value: Rational | null): string | null {
  return value === null ? null : toDecimalString(value);
}

/** A lending event in whole units of a mint without decimals. */
export function lendingEvent(
  kind: LendingEvent['kind'],
  side: LendingEvent['side'],
  reserve: string,
  time: number,
  amounts: { readonly liquidity: bigint | null; readonly collateral?: bigint; readonly fee?: bigint },
): LendingEvent {
  const { liquidity, collateral = 0n, fee = 0n } = amounts;
  return {
    kind,
    side,
    obligation: named('obligation'),
    market: named('market'),
    reserve: named(reserve),
    owner: named('wallet'),
    signer: named('wallet'),
    liquidity,
    collateral,
    fee,
    signature: `${kind} at ${time}`,
    slot: BigInt(time),
    time,
    index: 0,
  };
}
