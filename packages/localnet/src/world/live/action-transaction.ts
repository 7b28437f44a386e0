import { createHash } from 'node:crypto';
import { COMPUTE_BUDGET_PROGRAM } from '@sluice/protocol/program-ids';
import { setComputeUnitLimit } from '@sluice/protocol/system/instructions';
import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Wallet } from '../model.ts';
import { stepsOf, tableOf } from '../transaction-body.ts';
import type { World } from '../world.ts';
import type { WorldAction } from '../world-actions.ts';

const COMPUTE_UNITS = 1_000_000;

/**
 * The transaction with which a wallet performs an action, in wire format. Wallets of the world have no keys, so the
 * signature is as unique as a real one but does not verify.
 */
export function actionTransaction(
  world: World,
  payer: Wallet,
  action: WorldAction,
  blockhash: string,
): Uint8Array {
  const instructions = stepsOf(world, { payer, action }).map(({ instruction }) => instruction);
  const hasLimit = instructions.some(({ programAddress }) => programAddress === COMPUTE_BUDGET_PROGRAM);
  const limit = setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: COMPUTE_UNITS });
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(payer.address, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions([...(hasLimit ? [] : [limit]), ...instructions], draft),
    (draft) =>
      compressTransactionMessageUsingAddressLookupTables(draft, tableOf(world, { action, sequence: 0 })),
  );
  const { messageBytes } = compileTransaction(message);
  const signature = createHash('sha512').update(world.seed).update(Uint8Array.from(messageBytes)).digest();
  return Uint8Array.from(Buffer.concat([Buffer.of(1), signature, Buffer.from(messageBytes)]));
}
