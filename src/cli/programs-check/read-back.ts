import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { type Ask, whole } from './gateway.ts';

/** Figures of a position; null where one does not apply or is unknown. */
export interface Figures {
  /** Whole tokens of the deposit or the debt, or the value of the shares. */
  readonly tokens: Rational | null;
  readonly shares: Rational | null;
  readonly healthFactor: Rational | null;
}

/** Reads a position back through the gateway. */
export type ReadBack = (ask: Ask) => Promise<Figures>;

/** Parses a figure returned by the gateway. */
export const figure = (text: string | null | undefined): Rational | null =>
  text === null || text === undefined ? null : parseDecimal(text);

interface Amount {
  readonly amount: string;
}

interface VaultAnswer {
  readonly vault: {
    readonly position: { readonly totalShares: string; readonly value: Amount | null } | null;
  } | null;
}

const VAULT = `query Position($vault: Address!, $wallet: Address!) {
  vault(address: $vault) { position(wallet: $wallet) { totalShares value { amount } } }
}`;

/** The wallet's position in the vault. */
export const vaultPosition =
  (wallet: Address, vault: Address): ReadBack =>
  async (ask) => {
    const position = whole(await ask<VaultAnswer>(VAULT, { vault, wallet })).vault?.position ?? null;
    if (position === null) return { tokens: ZERO, shares: ZERO, healthFactor: null };
    return {
      tokens: figure(position.value?.amount),
      shares: figure(position.totalShares),
      healthFactor: null,
    };
  };

interface Row {
  readonly reserveAddress: string;
  readonly amount: Amount | null;
}

interface ObligationAnswer {
  readonly obligation: {
    readonly healthFactor: string | null;
    readonly deposits: readonly Row[];
    readonly borrows: readonly Row[];
  } | null;
}

const OBLIGATION = `query Obligation($address: Address!) {
  obligation(address: $address) {
    healthFactor
    deposits { reserveAddress amount { amount } }
    borrows { reserveAddress amount { amount } }
  }
}`;

/** The program closes an empty obligation; its address then has another owner or no account. */
const CLOSED: readonly string[] = ['ACCOUNT_NOT_FOUND', 'ACCOUNT_WRONG_OWNER', 'KLEND_OBLIGATION_NOT_FOUND'];

/** The obligation's deposit or debt in a reserve. */
export const lendingPosition =
  (address: Address, reserve: Address, side: 'deposits' | 'borrows'): ReadBack =>
  async (ask) => {
    const answer = await ask<ObligationAnswer>(OBLIGATION, { address });
    const [error] = answer.errors;
    if (error !== undefined && CLOSED.includes(error.code))
      return { tokens: ZERO, shares: null, healthFactor: null };
    const { obligation } = whole(answer);
    const row = obligation?.[side].find(({ reserveAddress }) => reserveAddress === reserve);
    return {
      tokens: row === undefined ? ZERO : figure(row.amount?.amount),
      shares: null,
      healthFactor: figure(obligation?.healthFactor),
    };
  };
