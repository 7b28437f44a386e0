import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructOf } from '@sluice/protocol/layout/struct';
import { decodeMint, type Mint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { WorldChain } from '../../src/world/world-chain.ts';

/** All accounts of one kind, decoded. */
export function accountsOf<F extends Fields>(
  localChain: WorldChain,
  program: Address,
  layout: AccountLayout<F>,
): [Address, StructOf<F>][] {
  const found: [Address, StructOf<F>][] = [];
  for (const [address, account] of localChain.programAccounts(program)) {
    if (Buffer.compare(account.data.subarray(0, 8), layout.discriminator) !== 0) continue;
    found.push([address, layout.decode({ ...account, address }, program)]);
  }
  return found;
}

function present(localChain: WorldChain, address: Address) {
  const account = localChain.account(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return { ...account, address };
}

export function decoded<F extends Fields>(
  localChain: WorldChain,
  layout: AccountLayout<F>,
  address: Address,
): StructOf<F> {
  const account = present(localChain, address);
  return layout.decode(account, account.owner);
}

export function holdingAmount(localChain: WorldChain, address: Address): bigint {
  return decodeTokenAccount(present(localChain, address)).amount;
}

export function mintOf(localChain: WorldChain, address: Address): Mint {
  return decodeMint(present(localChain, address));
}

/** A digest of every account, to compare two worlds. */
export function bytesOf(localChain: WorldChain, programs: readonly Address[]): Map<Address, string> {
  const result = new Map<Address, string>();
  for (const program of programs) {
    for (const [address, { data, lamports }] of localChain.programAccounts(program)) {
      result.set(address, `${lamports}:${Buffer.from(data).toString('base64')}`);
    }
  }
  return result;
}
