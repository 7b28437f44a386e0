import { writeVectors } from '../vector-file.ts';
import { lendingBase, lendingSequences } from './lending.ts';
import { vaultSequences } from './vaults.ts';

/** What the SDK's own builders return for whole actions; see README.md beside this file. */
export async function writeSequenceVectors(): Promise<void> {
  writeVectors('sequences-lending.json', { accounts: lendingBase() }, await lendingSequences());
  writeVectors('sequences-vaults.json', {}, await vaultSequences());
}
