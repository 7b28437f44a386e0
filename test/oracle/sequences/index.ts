import { writeVectors } from '../vector-file.ts';
import { claimSequences } from './claims.ts';
import { elevationSequences } from './elevation.ts';
import { lendingBase, lendingSequences } from './lending.ts';
import { leverageSequences } from './leverage.ts';
import { liquidationSequences } from './liquidation.ts';
import { vaultSequences } from './vaults.ts';

/** What the SDK's own builders return for whole actions; see README.md beside this file. */
export async function writeSequenceVectors(): Promise<void> {
  writeVectors('sequences-lending.json', { accounts: lendingBase() }, await lendingSequences());
  writeVectors('sequences-elevation.json', { accounts: lendingBase() }, await elevationSequences());
  writeVectors('sequences-liquidation.json', { accounts: lendingBase() }, await liquidationSequences());
  writeVectors('sequences-leverage.json', { accounts: lendingBase() }, await leverageSequences());
  writeVectors('sequences-claims.json', {}, await claimSequences());
  writeVectors('sequences-vaults.json', {}, await vaultSequences());
}
