import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import {
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  burns,
  LOOKUPS,
  mints,
  moves,
  type Nested,
  transactionOf,
} from '../../packages/protocol/test/support/transaction-maker.ts';
import {
  ABSENT,
  haveRealTransactions,
  type RealTransaction,
  realTransactions,
} from '../support/vectors/shared-fixtures.ts';

/** The real transactions were never sent, so their token movements are added here. */
const { lookupTables, vectors } = haveRealTransactions
  ? realTransactions()
  : { lookupTables: {}, vectors: [] };
const known = knownInstructions(MAINNET_PROGRAMS);
const read = createTransactionReader(MAINNET_PROGRAMS);
const { kvault, farms } = MAINNET_PROGRAMS;

function instructionsOf(vector: RealTransaction): EncodedInstruction[] {
  const bytes = Uint8Array.from(Buffer.from(vector.transaction_base64, 'base64'));
  const compiled = getCompiledTransactionMessageDecoder().decode(
    getTransactionDecoder().decode(bytes).messageBytes,
  );
  const addressesByLookupTableAddress = {
    [vector.lookupTable]: [...(lookupTables[vector.lookupTable] ?? [])],
  };
  const { instructions } = decompileTransactionMessage(compiled, { addressesByLookupTableAddress });
  return (instructions as readonly Instruction[]).map(({ programAddress, accounts = [], data }) => ({
    programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, role })),
    data: Uint8Array.from(data ?? []),
  }));
}

/** The instruction with the token movements of its program. */
function run(instruction: EncodedInstruction): Nested {
  const { programAddress } = instruction;
  if (programAddress !== kvault && programAddress !== farms) return { instruction };
  const { name, accounts } = decodeInstruction(known, instruction);
  const at = (key: string) => {
    const address = accounts[key];
    if (address === null || address === undefined) throw new Error(`no ${key} in ${name}`);
    return address;
  };
  switch (name) {
    case 'deposit':
      return {
        instruction,
        calls: [
          moves(at('userTokenAta'), at('tokenVault'), 700n),
          mints(at('sharesMint'), at('userSharesAta'), 600n),
        ],
      };
    case 'withdraw':
      return {
        instruction,
        calls: [
          burns(at('sharesMint'), at('userSharesAta'), 600n),
          moves(at('reserveLiquiditySupply'), at('tokenVault'), 50n),
          moves(at('tokenVault'), at('userTokenAta'), 700n),
        ],
      };
    case 'stake':
      return { instruction, calls: [moves(at('userAta'), at('farmVault'), 600n)] };
    case 'withdrawUnstakedDeposits':
      return { instruction, calls: [moves(at('farmVault'), at('userAta'), 600n)] };
    default:
      return { instruction };
  }
}

function transactionWith(vector: RealTransaction): ConfirmedTransaction {
  return transactionOf(instructionsOf(vector).map(run));
}

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  usdcDeposit: ['deposit', 'stake'],
  solDeposit: ['deposit', 'stake'],
  stakedWithdraw: ['unstake', 'withdraw'],
};

describe.skipIf(!haveRealTransactions)(`events of real vault transactions${ABSENT}`, () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (id, vector) => {
    const vault = instructionsOf(vector).find(({ programAddress }) => programAddress === kvault)?.accounts[1]
      ?.address;
    const { vaultEvents, problems } = read(transactionWith(vector), {
      ...LOOKUPS,
      vaultOfFarm: () => vault ?? null,
    });
    expect(problems).toEqual([]);
    expect(vaultEvents.map(({ kind }) => kind)).toEqual(EXPECTED[id]);
    for (const event of vaultEvents) {
      expect([event.vault, event.wallet, event.shares]).toEqual([vault, vector.wallet, 600n]);
      if (event.kind === 'deposit' || event.kind === 'withdraw') expect(event.tokens).toBe(700n);
    }
  });
});
