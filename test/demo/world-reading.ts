import type { Address } from '@solana/kit';
import type { DemoLedger } from '../../src/demo/world/demo-ledger.ts';
import type { AccountLayout } from '../../src/programs/layout/account.ts';
import type { Fields, StructOf } from '../../src/programs/layout/struct.ts';
import { decodeMint, type Mint } from '../../src/programs/token/mint.ts';
import { decodeTokenAccount } from '../../src/programs/token/token-account.ts';

/** All accounts of one kind, decoded. */
export function accountsOf<F extends Fields>(
  ledger: DemoLedger,
  program: Address,
  layout: AccountLayout<F>,
): [Address, StructOf<F>][] {
  const found: [Address, StructOf<F>][] = [];
  for (const [address, account] of ledger.programAccounts(program)) {
    if (Buffer.compare(account.data.subarray(0, 8), layout.discriminator) !== 0) continue;
    found.push([address, layout.decode({ ...account, address }, program)]);
  }
  return found;
}

function present(ledger: DemoLedger, address: Address) {
  const account = ledger.account(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return { ...account, address };
}

export function decoded<F extends Fields>(
  ledger: DemoLedger,
  layout: AccountLayout<F>,
  address: Address,
): StructOf<F> {
  const account = present(ledger, address);
  return layout.decode(account, account.owner);
}

export function holdingAmount(ledger: DemoLedger, address: Address): bigint {
  return decodeTokenAccount(present(ledger, address)).amount;
}

export function mintOf(ledger: DemoLedger, address: Address): Mint {
  return decodeMint(present(ledger, address));
}

/** A digest of every account, to compare two worlds. */
export function bytesOf(ledger: DemoLedger, programs: readonly Address[]): Map<Address, string> {
  const result = new Map<Address, string>();
  for (const program of programs) {
    for (const [address, { data, lamports }] of ledger.programAccounts(program)) {
      result.set(address, `${lamports}:${Buffer.from(data).toString('base64')}`);
    }
  }
  return result;
}
