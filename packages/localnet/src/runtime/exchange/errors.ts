import type { ErrorNames } from '@sluice/protocol/error-names';

export const EXCHANGE_ERRORS: ErrorNames = {
  first: 6000,
  names: ['NoPrice', 'SlippageToleranceExceeded', 'WrongReserve', 'UnsupportedToken'],
};

/** The number of `slippage` is that of the Jupiter router. */
export const EXCHANGE_ERROR = {
  noPrice: 6000,
  slippage: 6001,
  wrongReserve: 6002,
  unsupportedToken: 6003,
} as const;
