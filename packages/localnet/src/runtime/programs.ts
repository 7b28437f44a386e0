import type { Address } from '@solana/kit';
import { associatedTokenProgram } from './associated-token/associated-token-program.ts';
import { computeBudgetProgram } from './compute-budget/program.ts';
import { exchangeProgram } from './exchange/program.ts';
import { farmsProgram } from './farms/program.ts';
import { lendingProgram } from './klend/program.ts';
import { vaultProgram } from './kvault/program.ts';
import { lookupTableProgram } from './lookup-table/program.ts';
import { memoProgram, memoV1Program } from './memo/program.ts';
import type { Program } from './program.ts';
import { systemProgram } from './system/program.ts';
import { splTokenProgram, token2022Program } from './token/token-programs.ts';

const ALL: readonly Program[] = [
  systemProgram,
  computeBudgetProgram,
  lookupTableProgram,
  memoProgram,
  memoV1Program,
  splTokenProgram,
  token2022Program,
  associatedTokenProgram,
  lendingProgram,
  vaultProgram,
  farmsProgram,
  exchangeProgram,
];

/** The programs that the localnet runs. */
export const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  ALL.map((program) => [program.address, program]),
);
