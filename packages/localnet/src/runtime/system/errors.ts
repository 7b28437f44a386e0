/** The system program's own errors. */
export const SYSTEM_ERRORS = {
  accountAlreadyInUse: 0,
  resultWithNegativeLamports: 1,
  invalidAccountDataLength: 3,
  addressWithSeedMismatch: 5,
  nonceNoRecentBlockhashes: 6,
  nonceBlockhashNotExpired: 7,
} as const;
