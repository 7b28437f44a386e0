import { isSome, type ReadonlyUint8Array } from '@solana/kit';
import {
  AccountState,
  type Extension,
  type ExtensionArgs,
  getMintCodec,
  getTokenCodec,
  type MintArgs,
  type TokenArgs,
} from '@solana-program/token-2022';
import { UNIX_SECONDS } from '../constants.ts';
import { kitNormalised } from '../kit-normalise.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import type { AccountCase, AccountVectors } from '../vector-file.ts';
import { accountExtensionSets, mintExtensionSets } from './token-2022-extensions.ts';

/** Extensions start after the token account's 165 bytes and one byte for the kind of account, mints too. */
const EXTENSIONS_OFFSET = 166;
const PARSED_KINDS = ['TransferFeeConfig', 'TokenMetadata'];

const prng = new Prng('token-2022');

const mint = (extensions: ExtensionArgs[] | null): MintArgs => ({
  mintAuthority: prng.address(),
  supply: prng.between(0n, 10n ** 15n),
  decimals: 6,
  isInitialized: true,
  freezeAuthority: prng.address(),
  extensions,
});

const token = (extensions: ExtensionArgs[] | null): TokenArgs => ({
  mint: prng.address(),
  owner: prng.address(),
  amount: prng.between(0n, 10n ** 15n),
  delegate: null,
  state: AccountState.Initialized,
  isNative: null,
  delegatedAmount: 0n,
  closeAuthority: null,
  extensions,
});

/** The type, length, value list as bytes; type 0 means that the rest is unused room. */
function rawExtensions(bytes: Buffer): { type: number; data: string }[] {
  const found: { type: number; data: string }[] = [];
  let offset = EXTENSIONS_OFFSET;
  while (offset + 4 <= bytes.length) {
    const type = bytes.readUInt16LE(offset);
    const length = bytes.readUInt16LE(offset + 2);
    if (type === 0) break;
    found.push({ type, data: bytes.subarray(offset + 4, offset + 4 + length).toString('hex') });
    offset += 4 + length;
  }
  return found;
}

function extensionsOf(bytes: Buffer, decoded: Extension[]): Json[] {
  const raw = rawExtensions(bytes);
  const known = decoded.filter(({ __kind }) => __kind !== 'Uninitialized');
  if (raw.length !== known.length)
    throw new Error(`${raw.length} raw and ${known.length} decoded extensions`);
  return raw.map((entry, index) => {
    const extension = known[index];
    if (!extension || !PARSED_KINDS.includes(extension.__kind)) return entry;
    return { ...entry, parsed: kitNormalised(extension) };
  });
}

function caseOf(
  name: string,
  note: string,
  bytes: Buffer,
  decode: (bytes: Buffer) => ReturnType<ReturnType<typeof getMintCodec | typeof getTokenCodec>['decode']>,
): AccountCase {
  const { extensions, ...base } = decode(bytes);
  const list = isSome(extensions) ? extensions.value : [];
  return {
    name,
    note,
    bytes,
    fields: { ...(kitNormalised(base) as object), extensions: extensionsOf(bytes, list) },
  };
}

/** `room` is unused space behind the last extension. */
const mintCase = (name: string, note: string, value: MintArgs, room = 0) =>
  caseOf(name, note, padded(getMintCodec().encode(value), room), (bytes) => getMintCodec().decode(bytes));

const tokenCase = (name: string, note: string, value: TokenArgs, room = 0) =>
  caseOf(name, note, padded(getTokenCodec().encode(value), room), (bytes) => getTokenCodec().decode(bytes));

const padded = (bytes: ReadonlyUint8Array, room: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(room)] as Uint8Array[]);

export const token2022Vectors = (): AccountVectors[] => [
  {
    file: 'token-2022-mint',
    account: 'Mint',
    program: 'token-2022',
    size: null,
    discriminator: null,
    cases: [
      mintCase('no extensions', '82 bytes, as a mint of the first token program', mint(null)),
      ...mintExtensionSets(prng, UNIX_SECONDS).map(([name, note, extensions]) =>
        mintCase(name, note, mint(extensions)),
      ),
      mintCase(
        'unused room',
        'twenty zero bytes behind the extension',
        mint([{ __kind: 'NonTransferable' }]),
        20,
      ),
    ],
  },
  {
    file: 'token-2022-account',
    account: 'Token',
    program: 'token-2022',
    size: null,
    discriminator: null,
    cases: [
      tokenCase('no extensions', '165 bytes, as an account of the first token program', token(null)),
      ...accountExtensionSets().map(([name, note, extensions]) => tokenCase(name, note, token(extensions))),
      tokenCase(
        'unused room',
        'twenty zero bytes behind the extension',
        token([{ __kind: 'ImmutableOwner' }]),
        20,
      ),
      tokenCase('frozen with delegate', 'every optional field and one extension', {
        ...token([{ __kind: 'ImmutableOwner' }]),
        delegate: prng.address(),
        state: AccountState.Frozen,
        isNative: 2_074_080n,
        delegatedAmount: 12n,
        closeAuthority: prng.address(),
      }),
    ],
  },
];
