import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { type NativeInstruction, nativeProgram } from '../native.ts';
import type { Program } from '../program.ts';
import { advanceNonceAccount } from './advance-nonce-account.ts';
import { allocate } from './allocate.ts';
import { allocateWithSeed } from './allocate-with-seed.ts';
import { assign } from './assign.ts';
import { assignWithSeed } from './assign-with-seed.ts';
import { authorizeNonceAccount } from './authorize-nonce-account.ts';
import { createAccount } from './create-account.ts';
import { createAccountWithSeed } from './create-account-with-seed.ts';
import { initializeNonceAccount } from './initialize-nonce-account.ts';
import { transfer } from './transfer.ts';
import { transferWithSeed } from './transfer-with-seed.ts';
import { upgradeNonceAccount } from './upgrade-nonce-account.ts';
import { withdrawNonceAccount } from './withdraw-nonce-account.ts';

const UNITS = 150;

const instructions: readonly NativeInstruction[] = [
  createAccount,
  assign,
  transfer,
  createAccountWithSeed,
  advanceNonceAccount,
  withdrawNonceAccount,
  initializeNonceAccount,
  authorizeNonceAccount,
  allocate,
  allocateWithSeed,
  assignWithSeed,
  transferWithSeed,
  upgradeNonceAccount,
];

export const systemProgram: Program = {
  ...nativeProgram(SYSTEM_PROGRAM, UNITS, instructions),
  isBuiltin: true,
};
