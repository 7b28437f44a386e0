/** Type numbers of Token-2022 extensions. Those that end in "Account" belong to token accounts of such a mint. */
export const EXTENSION_TYPE = {
  transferFeeConfig: 1,
  /** Extension of token accounts: fees withheld from transfers to it. */
  transferFeeAmount: 2,
  mintCloseAuthority: 3,
  defaultAccountState: 6,
  immutableOwner: 7,
  memoTransfer: 8,
  nonTransferable: 9,
  cpiGuard: 11,
  permanentDelegate: 12,
  nonTransferableAccount: 13,
  transferHook: 14,
  transferHookAccount: 15,
  pausable: 26,
  pausableAccount: 27,
} as const;
