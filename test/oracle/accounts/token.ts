import {
  AccountState,
  getMintCodec,
  getMintSize,
  getTokenCodec,
  getTokenSize,
  type MintArgs,
  type TokenArgs,
} from '@solana-program/token';
import { U64_MAX, WRAPPED_SOL_MINT } from '../constants.ts';
import { kitNormalised } from '../kit-normalise.ts';
import { Prng } from '../prng.ts';
import type { AccountCase, AccountVectors } from '../vector-file.ts';

/** Rent of 165 bytes, which a native account keeps back. */
const RENT_LAMPORTS = 2_039_280n;

const prng = new Prng('token');

const mint = (given: Partial<MintArgs>): MintArgs => ({
  mintAuthority: null,
  supply: 0n,
  decimals: 6,
  isInitialized: true,
  freezeAuthority: null,
  ...given,
});

const mints: [name: string, note: string, value: MintArgs][] = [
  ['uninitialised', '82 zero bytes', mint({ decimals: 0, isInitialized: false })],
  ['no authorities', 'a fixed supply', mint({ supply: 123_456_789_012n })],
  [
    'mint authority',
    'no freeze authority',
    mint({ mintAuthority: prng.address(), supply: 42n, decimals: 9 }),
  ],
  [
    'freeze authority',
    'no mint authority',
    mint({ freezeAuthority: prng.address(), supply: 1n, decimals: 0 }),
  ],
  [
    'both authorities',
    'typical for a stable coin',
    mint({ mintAuthority: prng.address(), freezeAuthority: prng.address(), supply: 9_876_543_210_123_456n }),
  ],
  ['wrapped SOL', 'nine decimals, no authorities, no supply', mint({ decimals: 9 })],
  ['maximum', 'largest supply, 255 decimals', mint({ supply: U64_MAX, decimals: 255 })],
];

const token = (given: Partial<TokenArgs>): TokenArgs => ({
  mint: prng.address(),
  owner: prng.address(),
  amount: 0n,
  delegate: null,
  state: AccountState.Initialized,
  isNative: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  ...given,
});

const tokens: [name: string, note: string, value: TokenArgs][] = [
  ['empty', 'initialised, amount 0', token({})],
  ['typical', 'an amount, nothing else', token({ amount: 1_234_567_890n })],
  [
    'delegate',
    'part of the amount is delegated',
    token({ amount: 500n, delegate: prng.address(), delegatedAmount: 200n }),
  ],
  [
    'native wrapped SOL',
    'keeps the rent back',
    token({ mint: WRAPPED_SOL_MINT, amount: 3_000_000_000n, isNative: RENT_LAMPORTS }),
  ],
  ['close authority', 'somebody else may close it', token({ amount: 7n, closeAuthority: prng.address() })],
  ['frozen', 'state 2', token({ amount: 99n, state: AccountState.Frozen })],
  [
    'maximum',
    'every optional field is set, amounts are the largest',
    token({
      amount: U64_MAX,
      delegate: prng.address(),
      state: AccountState.Frozen,
      isNative: U64_MAX,
      delegatedAmount: U64_MAX,
      closeAuthority: prng.address(),
    }),
  ],
];

function mintCase(name: string, note: string, bytes: Buffer): AccountCase {
  return { name, note, bytes, fields: kitNormalised(getMintCodec().decode(bytes)) };
}

function tokenCase(name: string, note: string, bytes: Buffer): AccountCase {
  return { name, note, bytes, fields: kitNormalised(getTokenCodec().decode(bytes)) };
}

export const tokenVectors = (): AccountVectors[] => [
  {
    file: 'token-mint',
    account: 'Mint',
    program: 'token',
    size: getMintSize(),
    discriminator: null,
    cases: mints.map(([name, note, value]) =>
      mintCase(name, note, Buffer.from(getMintCodec().encode(value))),
    ),
  },
  {
    file: 'token-account',
    account: 'Token',
    program: 'token',
    size: getTokenSize(),
    discriminator: null,
    cases: [
      tokenCase('uninitialised', '165 zero bytes', Buffer.alloc(getTokenSize())),
      ...tokens.map(([name, note, value]) =>
        tokenCase(name, note, Buffer.from(getTokenCodec().encode(value))),
      ),
    ],
  },
];
