import { describe, expect, it } from 'vitest';
import { csvOf } from '../src/pages/wallet/csv.ts';
import { FARM_CSV, VAULT_CSV } from '../src/pages/wallet/transaction-csv.ts';
import type { VaultTransaction } from '../src/pages/wallet/wallet-documents.ts';

const COLUMN = [{ header: 'text', cell: (text: string | null) => text }];
const cellOf = (text: string | null) => csvOf(COLUMN, [text]);

describe('a CSV file', () => {
  it('has a header row and ends every line with CRLF', () => {
    expect(csvOf(COLUMN, ['a', 'b'])).toBe('text\r\na\r\nb\r\n');
    expect(csvOf(COLUMN, [])).toBe('text\r\n');
  });

  it('quotes cells with commas, quotes and line breaks, and doubles quotes', () => {
    expect(cellOf('a,b')).toBe('text\r\n"a,b"\r\n');
    expect(cellOf('say "hi"')).toBe('text\r\n"say ""hi"""\r\n');
    expect(cellOf('two\nlines')).toBe('text\r\n"two\nlines"\r\n');
  });

  it('leaves a cell without a value empty', () => {
    expect(cellOf(null)).toBe('text\r\n\r\n');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
  ])('keeps a spreadsheet from executing %j', (text, cell) => {
    expect(cellOf(text)).toBe(`text\r\n${cell}\r\n`);
  });

  it('keeps negative numbers as numbers', () => {
    expect(cellOf('-12.50')).toBe('text\r\n-12.50\r\n');
    expect(cellOf('-1-1')).toBe("text\r\n'-1-1\r\n");
  });
});

describe('a file of transactions', () => {
  const DEPOSIT: VaultTransaction = {
    id: 'x',
    createdAt: '2026-01-02T03:04:05.000Z',
    kind: 'DEPOSIT',
    signature: 'sig',
    slot: '123',
    shares: '9.876543',
    sharePriceUsd: null,
    tokens: { amount: '10.000001', token: { id: 't', symbol: '=USD', mint: 'mint' } },
    valueUsd: '10.00000100000000000001',
    vault: { id: 'v', address: 'vault', name: 'Main, "safe"' },
  };

  it('has exact values, and neutral names', () => {
    expect(csvOf(VAULT_CSV, [DEPOSIT])).toBe(
      'time,kind,vault,vault_name,tokens,token,mint,shares,share_price_usd,value_usd,slot,signature\r\n' +
        '2026-01-02T03:04:05.000Z,DEPOSIT,vault,"Main, ""safe""",10.000001,\'=USD,mint,9.876543,,' +
        '10.00000100000000000001,123,sig\r\n',
    );
  });

  it('leaves out the amount of an unstake of everything', () => {
    const row = {
      createdAt: '2026-01-02T03:04:05.000Z',
      kind: 'UNSTAKE',
      signature: 'sig',
      slot: '123',
      amount: null,
      tokenMint: 'mint',
      farmAddress: 'farm',
    } as const;
    expect(csvOf(FARM_CSV, [row]).split('\r\n')[1]).toBe(
      '2026-01-02T03:04:05.000Z,UNSTAKE,farm,,,mint,,123,sig',
    );
  });
});
