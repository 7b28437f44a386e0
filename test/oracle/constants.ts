import { address } from '@solana/kit';

export const NONE = address('11111111111111111111111111111111');
/** Value of "unset" in oracle settings of lending. */
export const NULL_KEY = address('nu11111111111111111111111111111111111111111');
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const WRAPPED_SOL_MINT = address('So11111111111111111111111111111111111111112');
export const SYSVAR_RENT = address('SysvarRent111111111111111111111111111111111');
export const SYSVAR_INSTRUCTIONS = address('Sysvar1nstructions1111111111111111111111111');
export const SYSTEM_PROGRAM = NONE;

export const U64_MAX = (1n << 64n) - 1n;
export const U128_MAX = (1n << 128n) - 1n;
/** The scale of fields that end in Sf: 60 binary places. */
export const SF = 1n << 60n;
/** The scale of farm stakes. */
export const WAD = 10n ** 18n;

/** A fixed moment that the realistic cases agree on. */
export const SLOT = 345_678_901n;
export const UNIX_SECONDS = 1_750_000_000n;
