import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { DecodedInstruction } from '@sluice/protocol/layout/instruction';
import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { FRACTION_ONE, WAD } from '@sluice/protocol/numeric/fraction';
import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { type Address, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuiltAction } from '../../src/builders/built-instruction.ts';
import { planTransactions } from '../../src/builders/plan/plan.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultDeposit } from '../../src/builders/vault/deposit.ts';
import { secondVaultReads, type VaultRequest } from '../../src/builders/vault/request.ts';
import { buildVaultWithdraw } from '../../src/builders/vault/withdraw.ts';
import { accountsOf, NOW, SLOT } from '../support/builders/lending-accounts.ts';
import {
  ABSENT,
  haveRealTransactions,
  type RealTransaction,
  realTransactions,
} from '../support/vectors/shared-fixtures.ts';

const { lookupTables, vectors } = haveRealTransactions
  ? realTransactions()
  : { lookupTables: {}, vectors: [] };
const { klend, kvault, farms } = MAINNET_PROGRAMS;
const known = knownInstructions(MAINNET_PROGRAMS);
const ROLES: readonly string[] = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'];

/** The decoded instructions of the file. Roles are those of the compiled transaction. */
function named(vector: RealTransaction): DecodedInstruction[] {
  return vector.decoded.instructions.map((each) =>
    decodeInstruction(known, {
      programAddress: each.programAddress,
      accounts: each.accounts.map(({ address, role }) => ({ address, role: ROLES.indexOf(role) })),
      data: Uint8Array.from(Buffer.from(each.data, 'base64')),
    }),
  );
}

const must = (address: Address | null | undefined): Address => {
  if (!address) throw new Error('the transaction does not name this account');
  return address;
};

/** Accounts of the vault and the wallet, reconstructed from the transaction. */
function worldOf(vector: RealTransaction) {
  const steps = named(vector);
  const action = steps.find(({ programAddress }) => programAddress === kvault);
  const staking = steps.find(({ name }) => name === 'stake' || name === 'withdrawUnstakedDeposits');
  if (action === undefined || staking === undefined) throw new Error('no vault action');
  const at = action.accounts;
  const count = action.remaining.length / 2;
  const reserves = action.remaining.slice(0, count).map(({ address }) => address);
  const left = at.reserve;
  const farm = must(staking.accounts.farmState);
  const content = lookupTables[vector.lookupTable] ?? [];
  const request: VaultRequest = {
    programs: MAINNET_PROGRAMS,
    wallet: vector.wallet,
    vault: must(at.vaultState),
    lookupTables: [],
  };
  const accounts = accountsOf([
    {
      address: request.vault,
      owner: kvault,
      data: vaultState.encode({
        tokenMint: must(at.tokenMint),
        tokenMintDecimals: vector.id === 'solDeposit' ? 9n : 6n,
        sharesMintDecimals: vector.id === 'solDeposit' ? 9n : 6n,
        tokenVault: must(at.tokenVault),
        tokenProgram: must(at.tokenProgram),
        baseVaultAuthority: must(at.baseVaultAuthority),
        sharesMint: must(at.sharesMint),
        sharesIssued: 10n ** 12n,
        vaultAllocationStrategy: reserves.map((address) => ({
          reserve: address,
          ctokenVault: address === left ? must(at.ctokenVault) : NO_ADDRESS,
          // The platform's builder withdraws from the reserve with the most liquidity.
          ctokenAllocation: address === left ? 10n ** 12n : 10n ** 6n,
        })),
        vaultLookupTable: vector.lookupTable,
        vaultFarm: farm,
      }),
    },
    ...reserves.map((address, index) => ({
      address,
      owner: klend,
      data: reserve.encode({
        lendingMarket: must(action.remaining[count + index]?.address),
        liquidity: {
          supplyVault: address === left ? must(at.reserveLiquiditySupply) : NO_ADDRESS,
          totalAvailableAmount: 10n ** 13n,
          borrowedAmountSf: 10n ** 13n * FRACTION_ONE,
          tokenProgram: TOKEN_PROGRAM,
        },
        collateral: {
          mintPubkey: address === left ? must(at.reserveCollateralMint) : NO_ADDRESS,
          mintTotalSupply: 2n * 10n ** 13n,
        },
      }),
    })),
    {
      address: farm,
      owner: farms,
      data: farmState.encode({
        token: { mint: must(at.sharesMint), tokenProgram: TOKEN_PROGRAM },
        farmVault: must(staking.accounts.farmVault),
        farmVaultsAuthority: staking.accounts.farmVaultsAuthority ?? NO_ADDRESS,
      }),
    },
    {
      address: vector.lookupTable,
      owner: LOOKUP_TABLE_PROGRAM,
      data: encodeLookupTable({
        deactivationSlot: null,
        lastExtendedSlot: SLOT - 1n,
        lastExtendedStartIndex: 0,
        authority: null,
        addresses: content,
      }),
    },
    ...(vector.id === 'stakedWithdraw'
      ? [
          {
            address: must(staking.accounts.userState),
            owner: farms,
            data: userState.encode({
              farmState: farm,
              owner: vector.wallet,
              activeStakeScaled: 5_000_000n * WAD,
            }),
          },
        ]
      : []),
  ]);
  return { request, accounts, amount: amountOf(action) };
}

function amountOf({ args }: DecodedInstruction): bigint {
  const value = args.maxAmount ?? args.sharesAmount;
  if (typeof value !== 'bigint') throw new Error('no amount');
  return value;
}

function build(vector: RealTransaction): { action: BuiltAction; accounts: ReturnType<typeof vaultAccounts> } {
  const { request, accounts: read, amount } = worldOf(vector);
  const accounts = vaultAccounts(request, read, SLOT);
  const action =
    vector.id === 'stakedWithdraw'
      ? buildVaultWithdraw(accounts, amount, NOW)
      : buildVaultDeposit(accounts, amount, NOW);
  return { action, accounts };
}

function blockhashOf(vector: RealTransaction): string {
  const bytes = Uint8Array.from(Buffer.from(vector.transaction_base64, 'base64'));
  const message = getCompiledTransactionMessageDecoder().decode(
    getTransactionDecoder().decode(bytes).messageBytes,
  );
  return 'lifetimeToken' in message ? String(message.lifetimeToken) : '';
}

describe.skipIf(!haveRealTransactions)(`vault builders against real transactions${ABSENT}`, () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))(
    '%s: same instructions, accounts, data',
    (_, vector) => {
      const { action } = build(vector);
      const shape = ({ programAddress, accounts, data }: BuiltAction['instructions'][number]) => ({
        programAddress,
        accounts: accounts.map(({ address }) => address),
        data: Buffer.from(data).toString('base64'),
      });
      expect(action.instructions.map(shape)).toEqual(
        vector.decoded.instructions.map(({ programAddress, accounts, data }) => ({
          programAddress,
          accounts: accounts.map(({ address }) => address),
          data,
        })),
      );
    },
  );

  it.each(vectors.map((vector) => [vector.id, vector] as const))(
    '%s: compiles to the same bytes',
    (_, vector) => {
      const { action, accounts } = build(vector);
      const [transaction, ...more] = planTransactions({
        feePayer: vector.wallet,
        instructions: action.instructions,
        tables: accounts.tables,
        lifetime: { blockhash: blockhashOf(vector), lastValidBlockHeight: 1n },
      });
      expect(more).toEqual([]);
      expect(transaction?.sizeBytes).toBe(vector.decoded.bytes);
      expect(transaction?.tablesUsed.map(({ address }) => address)).toEqual([vector.lookupTable]);
      expect(transaction?.base64).toBe(vector.transaction_base64);
    },
  );

  it.each(vectors.map((vector) => [vector.id, vector] as const))(
    '%s: the second round requests the lookup tables in use',
    (_, vector) => {
      const { request, accounts } = worldOf(vector);
      const wanted = secondVaultReads(request, accounts);
      for (const { address } of build(vector).accounts.tables) expect(wanted).toContain(address);
    },
  );
});
