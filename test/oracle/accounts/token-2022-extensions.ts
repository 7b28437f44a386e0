import { AccountState, type ExtensionArgs } from '@solana-program/token-2022';
import { NONE, U64_MAX } from '../constants.ts';
import type { Prng } from '../prng.ts';

type ExtensionSet = [name: string, note: string, extensions: ExtensionArgs[]];

const fee = (epoch: bigint, maximumFee: bigint, transferFeeBasisPoints: number) => ({
  epoch,
  maximumFee,
  transferFeeBasisPoints,
});

/** Mint extensions, one by one and together. */
export function mintExtensionSets(prng: Prng, now: bigint): ExtensionSet[] {
  const feeConfig: ExtensionArgs = {
    __kind: 'TransferFeeConfig',
    transferFeeConfigAuthority: prng.address(),
    withdrawWithheldAuthority: prng.address(),
    withheldAmount: 123_456n,
    olderTransferFee: fee(600n, 5_000_000n, 50),
    newerTransferFee: fee(702n, U64_MAX, 125),
  };
  const noFee: ExtensionArgs = {
    __kind: 'TransferFeeConfig',
    transferFeeConfigAuthority: NONE,
    withdrawWithheldAuthority: NONE,
    withheldAmount: 0n,
    olderTransferFee: fee(0n, 0n, 0),
    newerTransferFee: fee(0n, 0n, 0),
  };
  const close: ExtensionArgs = { __kind: 'MintCloseAuthority', closeAuthority: prng.address() };
  const interest: ExtensionArgs = {
    __kind: 'InterestBearingConfig',
    rateAuthority: prng.address(),
    initializationTimestamp: now - 10_000_000n,
    preUpdateAverageRate: -150,
    lastUpdateTimestamp: now - 1_000n,
    currentRate: 475,
  };
  const pointer: ExtensionArgs = {
    __kind: 'MetadataPointer',
    authority: prng.address(),
    metadataAddress: prng.address(),
  };
  const metadata = (more: [string, string][]): ExtensionArgs => ({
    __kind: 'TokenMetadata',
    updateAuthority: prng.address(),
    mint: prng.address(),
    name: 'Sample Dollar €',
    symbol: 'SUSD',
    uri: 'data:application/json,{}',
    additionalMetadata: new Map(more),
  });
  const delegate: ExtensionArgs = { __kind: 'PermanentDelegate', delegate: prng.address() };
  const hook: ExtensionArgs = {
    __kind: 'TransferHook',
    authority: prng.address(),
    programId: prng.address(),
  };
  const frozen: ExtensionArgs = { __kind: 'DefaultAccountState', state: AccountState.Frozen };
  return [
    ['TransferFeeConfig', 'two fees that change at epoch 702', [feeConfig]],
    ['TransferFeeConfig without fee', 'all zero', [noFee]],
    ['MintCloseAuthority', '', [close]],
    ['InterestBearingConfig', 'one rate is negative', [interest]],
    ['MetadataPointer and TokenMetadata', 'no further metadata', [pointer, metadata([])]],
    [
      'TokenMetadata with entries',
      'two further entries',
      [
        pointer,
        metadata([
          ['kind', 'stable'],
          ['empty', ''],
        ]),
      ],
    ],
    [
      'MetadataPointer to nothing',
      'both addresses are none',
      [{ __kind: 'MetadataPointer', authority: null, metadataAddress: null }],
    ],
    ['PermanentDelegate', '', [delegate]],
    ['TransferHook', 'a program runs at each transfer', [hook]],
    [
      'TransferHook without program',
      'the program is none',
      [{ __kind: 'TransferHook', authority: prng.address(), programId: NONE }],
    ],
    ['DefaultAccountState', 'new accounts are frozen', [frozen]],
    ['NonTransferable', 'no data', [{ __kind: 'NonTransferable' }]],
    ['PausableConfig', 'paused', [{ __kind: 'PausableConfig', authority: prng.address(), paused: true }]],
    [
      'ScaledUiAmountConfig',
      'multipliers are doubles',
      [
        {
          __kind: 'ScaledUiAmountConfig',
          authority: prng.address(),
          multiplier: 1.25,
          newMultiplierEffectiveTimestamp: now + 60n,
          newMultiplier: 2,
        },
      ],
    ],
    [
      'several',
      'eight extensions, the fee is neither first nor last',
      [close, delegate, feeConfig, interest, frozen, hook, pointer, metadata([['a', 'b']])],
    ],
  ];
}

/** Token account extensions, one by one and together. */
export function accountExtensionSets(): ExtensionSet[] {
  const owner: ExtensionArgs = { __kind: 'ImmutableOwner' };
  const withheld: ExtensionArgs = { __kind: 'TransferFeeAmount', withheldAmount: 987_654_321n };
  const memo: ExtensionArgs = { __kind: 'MemoTransfer', requireIncomingTransferMemos: true };
  const guard: ExtensionArgs = { __kind: 'CpiGuard', lockCpi: true };
  return [
    ['ImmutableOwner', 'as associated token accounts have it', [owner]],
    ['TransferFeeAmount', '', [withheld]],
    ['TransferFeeAmount maximum', '', [{ __kind: 'TransferFeeAmount', withheldAmount: U64_MAX }]],
    ['MemoTransfer', '', [memo]],
    ['CpiGuard', '', [guard]],
    ['TransferHookAccount', '', [{ __kind: 'TransferHookAccount', transferring: false }]],
    ['several', 'four extensions', [owner, withheld, memo, guard]],
  ];
}
