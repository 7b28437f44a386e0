import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  isWritableRole,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstructionBundle } from '../../docs/signing/call-builder.ts';
import { tablesOf } from '../../docs/signing/from-bundle.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { hasSdk, type SdkAction, SdkBuilder } from '../support/sending/sdk-builder.ts';

/**
 * Transactions of the official SDK for an action have the effect of those of our builders: both are simulated in the same
 * slot and leave the same bytes; then the SDK's is sent. Skipped without the SDK, which `npm run vectors` installs.
 */

const ALL = '18446744073709551615';
const PATHS: Readonly<Record<SdkAction, string>> = {
  vaultDeposit: '/ktx/kvault/deposit',
  vaultWithdraw: '/ktx/kvault/withdraw',
  deposit: '/ktx/klend/deposit',
  borrow: '/ktx/klend/borrow',
  repay: '/ktx/klend/repay',
  withdraw: '/ktx/klend/withdraw',
};

let world: ActingApp;
let sdk: SdkBuilder;
let signer: KeyPairSigner;

/** Data of accounts as a transaction would leave them; null for one that it closes. */
async function effect(wire: Base64EncodedWireTransaction, addresses: readonly Address[]) {
  const { value } = await world.rpc
    .simulateTransaction(wire, {
      encoding: 'base64',
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses: [...addresses] },
    })
    .send();
  expect(value.err, value.logs?.join('\n')).toBeNull();
  return new Map(addresses.map((address, index) => [address, value.accounts?.[index]?.data ?? null]));
}

async function compiled(instructions: readonly Instruction[], bundle: InstructionBundle) {
  const { value: lifetime } = await world.rpc.getLatestBlockhash().send();
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(signer.address, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => compressTransactionMessageUsingAddressLookupTables(message, tablesOf(bundle)),
    (message) => getBase64EncodedWireTransaction(compileTransaction(message)),
  );
}

/** @param tokens whole tokens or shares for our builder, base units for the SDK */
async function compare(action: SdkAction, tokens: string, units: string, reserve: Address): Promise<void> {
  const { vault, market } = world.localnet.addresses;
  const wallet = signer.address;
  const slot = { 'x-min-slot': String(world.localnet.chain.slot) };
  await world.gateway.query('{ chain { slot } }', { headers: slot });
  const body = { wallet, kvault: vault, market, reserve, amount: tokens };
  const bundle = await world.post<InstructionBundle>(`${PATHS[action]}-instructions`, body);
  const { transaction } = await world.post<{ transaction: string }>(PATHS[action], body);

  const instructions = await sdk.build({ action, wallet, market, reserve, vault, amount: units });
  const theirs = await compiled(instructions, bundle);
  const written = instructions
    .flatMap(({ accounts = [] }) => accounts)
    .filter(({ address, role }) => address !== wallet && isWritableRole(role))
    .map(({ address }) => address);
  const addresses = [...new Set(written)];
  const ours = await effect(transaction as Base64EncodedWireTransaction, addresses);
  expect([...ours.values()].filter((data) => data !== null).length).toBeGreaterThan(3);
  expect(await effect(theirs, addresses)).toEqual(ours);
  await world.send('RPC', theirs, signer);
}

describe.skipIf(!hasSdk)('transactions of the official SDK have the effect of ours', () => {
  beforeAll(async () => {
    world = await startActingApp();
    sdk = new SdkBuilder(world.localnet.rpc.url);
    signer = await world.newWallet({ [world.localnet.addresses.tokenMint]: 5_000_000_000n });
  });
  afterAll(async () => {
    sdk?.stop();
    await world?.stop();
  });
  const usdc = () => world.localnet.addresses.reserve;
  const sol = () => world.localnet.addresses.depositReserve;

  it('a vault deposit', () => compare('vaultDeposit', '1000.000001', '1000000001', usdc()));
  it('a vault withdrawal', () => compare('vaultWithdraw', '123.456789', '123456789', usdc()));
  it('a vault withdrawal of all', () => compare('vaultWithdraw', ALL, ALL, usdc()));
  it('a first deposit', () => compare('deposit', '900.000001', '900000001', usdc()));
  it('a further deposit', () => compare('deposit', '1.5', '1500000', usdc()));
  it('a borrow', () => compare('borrow', '0.500000001', '500000001', sol()));
  it('a repayment', () => compare('repay', '0.1', '100000000', sol()));
  it('a repayment of all', () => compare('repay', ALL, ALL, sol()));
  it('a withdrawal', () => compare('withdraw', '300.000001', '300000001', usdc()));
  it('a withdrawal of all', () => compare('withdraw', ALL, ALL, usdc()));
});
