import type { AllocationChange, CuratorExposure, CuratorIncident } from './curator-documents.ts';

const INCIDENTS: Readonly<Record<CuratorIncident['kind'], string>> = {
  BAD_DEBT: 'Bad debt in the reserve',
  MARKET_EMERGENCY: 'Market in emergency mode',
  RESERVE_EMERGENCY: 'Reserve in emergency mode',
  RESERVE_DEPOSIT_LIMIT: 'Deposit limit of the reserve reached',
  RESERVE_BORROW_LIMIT: 'Borrow limit of the reserve reached',
  ALLOCATION_CAP: 'Cap of the vault for the reserve reached',
  DEPOSIT_CAP: 'Deposit cap of the vault reached',
  SHARE_VALUE_FELL: 'Share value fell',
};

export const incidentWords = ({ kind }: Pick<CuratorIncident, 'kind'>): string => INCIDENTS[kind];

/** Where a part of the tokens is, and what stands behind it. */
export function exposureWords({
  kind,
  token,
  mint,
}: Pick<CuratorExposure, 'kind' | 'token' | 'mint'>): string {
  const symbol = token?.symbol ?? mint ?? '';
  switch (kind) {
    case 'IDLE':
      return `${symbol} in the vaults`;
    case 'LIQUIDITY':
      return `${symbol} not lent`;
    case 'COLLATERAL':
      return `Lent against ${symbol}`;
    case 'UNSECURED':
      return 'Lent, no collateral left';
    case 'UNKNOWN':
      return 'Lent, cannot be valued';
  }
}

const CHANGES: Readonly<Record<AllocationChange['kind'], string>> = {
  SET_TARGET: 'Weight set',
  REMOVE: 'Removed',
  SET_IDLE: 'Idle part set',
  MOVE: 'Tokens moved',
};

export const changeWords = ({ kind }: Pick<AllocationChange, 'kind'>): string => CHANGES[kind];
