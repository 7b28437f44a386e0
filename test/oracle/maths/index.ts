import { writeVectors } from '../vector-file.ts';
import { farmCases } from './farms.ts';
import { obligationCases } from './obligations.ts';
import { reserveCases } from './reserves.ts';
import { vaultCases } from './vaults.ts';
import { yieldCases } from './yields.ts';

/** Numbers that the SDK computes from accounts; see README.md beside this file. */
export async function writeMathsVectors(): Promise<void> {
  writeVectors('maths-yields.json', {}, yieldCases());
  writeVectors('maths-reserves.json', {}, reserveCases());
  writeVectors('maths-obligations.json', {}, obligationCases());
  writeVectors('maths-vaults.json', {}, await vaultCases());
  writeVectors('maths-farms.json', {}, farmCases());
}
