import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { readTokenMetadata, readTransferFeeConfig } from '@sluice/protocol/token/extensions';
import { decodeMint, encodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount, encodeTokenAccount } from '@sluice/protocol/token/token-account';
import { describe, expect, it } from 'vitest';
import { type AccountCase, accountVectors } from '../support/vectors/account-vectors.ts';

interface ExtensionVector {
  readonly type: number;
  readonly data: string;
  readonly parsed?: Readonly<Record<string, unknown>>;
}

const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');
const extensionsOf = (each: AccountCase) => (each.fields.extensions ?? []) as readonly ExtensionVector[];
const named = (cases: readonly AccountCase[]) => cases.map((each) => [each.name, each] as const);

const mints = [
  ['token-mint', TOKEN_PROGRAM],
  ['token-2022-mint', TOKEN_2022_PROGRAM],
] as const;

describe.each(mints)('%s', (file, owner) => {
  const { cases } = accountVectors(file);

  it.each(named(cases.filter((each) => each.fields.isInitialized === true)))('%s', (_, each) => {
    const mint = decodeMint({ owner, data: each.data });
    expect({
      mintAuthority: mint.mintAuthority,
      supply: mint.supply.toString(),
      decimals: mint.decimals,
      freezeAuthority: mint.freezeAuthority,
      extensions: mint.extensions.map(({ type, data }) => ({ type, data: hex(data) })),
    }).toEqual({
      mintAuthority: each.fields.mintAuthority,
      supply: each.fields.supply,
      decimals: each.fields.decimals,
      freezeAuthority: each.fields.freezeAuthority,
      extensions: extensionsOf(each).map(({ type, data }) => ({ type, data })),
    });
    expect(hex(encodeMint(mint))).toBe(hex(each.data));
  });

  it.each(named(cases.filter((each) => each.fields.isInitialized === false)))('%s is rejected', (_, each) => {
    expect(() => decodeMint({ owner, data: each.data })).toThrow(
      expect.objectContaining({ code: 'ACCOUNT_MALFORMED' }),
    );
  });
});

const accounts = [
  ['token-account', TOKEN_PROGRAM],
  ['token-2022-account', TOKEN_2022_PROGRAM],
] as const;

describe.each(accounts)('%s', (file, owner) => {
  const { cases } = accountVectors(file);

  it.each(named(cases.filter((each) => each.fields.state !== 0)))('%s', (_, each) => {
    const account = decodeTokenAccount({ owner, data: each.data });
    expect({
      mint: account.mint,
      owner: account.owner,
      amount: account.amount.toString(),
      delegate: account.delegate,
      state: account.frozen ? 2 : 1,
      isNative: account.nativeRentLamports?.toString() ?? null,
      delegatedAmount: account.delegatedAmount.toString(),
      closeAuthority: account.closeAuthority,
      extensions: account.extensions.map(({ type, data }) => ({ type, data: hex(data) })),
    }).toEqual({ ...each.fields, extensions: extensionsOf(each).map(({ type, data }) => ({ type, data })) });
    expect(hex(encodeTokenAccount(account))).toBe(hex(each.data));
  });

  it.each(named(cases.filter((each) => each.fields.state === 0)))('%s is rejected', (_, each) => {
    const read = () => decodeTokenAccount({ owner, data: each.data });
    expect(read).toThrow(expect.objectContaining({ code: 'ACCOUNT_MALFORMED' }));
  });
});

describe('Token-2022 extensions', () => {
  const cases = accountVectors('token-2022-mint').cases;

  it('decode the transfer fee like the SDK', () => {
    const withFee = cases.filter((each) => extensionsOf(each).some(({ type }) => type === 1));
    expect(withFee.length).toBeGreaterThanOrEqual(2);
    for (const each of withFee) {
      const fee = readTransferFeeConfig(
        decodeMint({ owner: TOKEN_2022_PROGRAM, data: each.data }).extensions,
      );
      const half = (part: { epoch: bigint; maximumFee: bigint; basisPoints: number } | undefined) => ({
        epoch: part?.epoch.toString(),
        maximumFee: part?.maximumFee.toString(),
        transferFeeBasisPoints: part?.basisPoints,
      });
      expect({
        transferFeeConfigAuthority: fee?.configAuthority,
        withdrawWithheldAuthority: fee?.withdrawAuthority,
        withheldAmount: fee?.withheldAmount.toString(),
        olderTransferFee: half(fee?.older),
        newerTransferFee: half(fee?.newer),
      }).toEqual(extensionsOf(each).find(({ type }) => type === 1)?.parsed);
    }
  });

  it('decode name, symbol and link like the SDK', () => {
    const withMetadata = cases.filter((each) => extensionsOf(each).some(({ type }) => type === 19));
    expect(withMetadata.length).toBeGreaterThanOrEqual(2);
    for (const each of withMetadata) {
      const { extensions } = decodeMint({ owner: TOKEN_2022_PROGRAM, data: each.data });
      const parsed = extensionsOf(each).find(({ type }) => type === 19)?.parsed;
      expect(parsed).toMatchObject({ ...readTokenMetadata(extensions) });
    }
  });

  it('have no fee and no metadata in a plain mint', () => {
    const plain = cases.find((each) => each.name === 'no extensions');
    const { extensions } = decodeMint({ owner: TOKEN_2022_PROGRAM, data: plain?.data ?? new Uint8Array() });
    expect(readTransferFeeConfig(extensions)).toBeNull();
    expect(readTokenMetadata(extensions)).toBeNull();
  });
});
