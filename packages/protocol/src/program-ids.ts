import type { Address } from '@solana/kit';

/** The platform's programs; a deployment may run its own builds at other addresses. */
export interface ProgramIds {
  readonly klend: Address;
  readonly kvault: Address;
  readonly farms: Address;
}

export const MAINNET_PROGRAMS: ProgramIds = {
  klend: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD' as Address,
  kvault: 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' as Address,
  farms: 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr' as Address,
};

/** The vault program has another address on devnet. The one of mainnet is deployed there too, without vaults. */
export const DEVNET_PROGRAMS: ProgramIds = {
  ...MAINNET_PROGRAMS,
  kvault: 'devkRngFnfp4gBc5a3LsadgbQKdPo8MSZ4prFiNSVmY' as Address,
};

export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address;
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address;
export const SCOPE_PROGRAM = 'HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ' as Address;
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
/** The Jupiter router. */
export const ROUTER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;
/** The first version, which asks for no signers. */
export const MEMO_V1_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address;
export const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111' as Address;
export const SYSVAR_PROGRAM = 'Sysvar1111111111111111111111111111111111111' as Address;

export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address;
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;
export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111' as Address;
export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111' as Address;
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112' as Address;

/** 32 zero bytes: the programs' value for "no address". */
export const NO_ADDRESS = SYSTEM_PROGRAM;
/** The lending program's value for "no oracle". */
const NULL_ORACLE = 'nu11111111111111111111111111111111111111111' as Address;

/** Null for either encoding of "no address". */
export function presentAddress(address: Address): Address | null {
  return address === NO_ADDRESS || address === NULL_ORACLE ? null : address;
}
