import { Decimal, type VariablesOf } from '@sluice/client';
import type { CREATE_ALERT } from './alerts-documents.ts';

export type AlertInput = VariablesOf<typeof CREATE_ALERT>['input'];

/** The wallet itself, or a vault by its address. */
export const WALLET_SUBJECT = 'wallet';

export interface TypedAlert {
  readonly subject: string;
  /** In percent. */
  readonly below: string;
  readonly url: string;
}

const HUNDRED = Decimal.of('100');

/** An alert as it was typed: of the nearest liquidation of a wallet, or of the APY of a vault. Null while it makes no sense. */
export function alertInput({ subject, below, url }: TypedAlert, wallet: string): AlertInput | null {
  const percent = Decimal.parse(below.trim().replace(/%$/, '').trim());
  if (percent === null || percent.isNegative || percent.isZero || percent.compare(HUNDRED) >= 0) return null;
  if (!/^https?:\/\/\S+$/.test(url.trim())) return null;
  const threshold = percent.dividedBy(HUNDRED, 18).toString();
  return subject === WALLET_SUBJECT
    ? { metric: 'WALLET_LIQUIDATION_DISTANCE', subject: wallet, below: threshold, url: url.trim() }
    : { metric: 'VAULT_APY', subject, below: threshold, url: url.trim() };
}
