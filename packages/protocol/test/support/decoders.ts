import type { Address } from '@solana/kit';
import { farmState } from '../../src/farms/farm-state.ts';
import { userState } from '../../src/farms/user-state.ts';
import { lendingMarket } from '../../src/klend/lending-market.ts';
import { obligation } from '../../src/klend/obligation.ts';
import { referrerTokenState } from '../../src/klend/referrer-token-state.ts';
import { reserve } from '../../src/klend/reserve.ts';
import { userMetadata } from '../../src/klend/user-metadata.ts';
import { vaultGlobalConfig } from '../../src/kvault/global-config.ts';
import { vaultState } from '../../src/kvault/vault-state.ts';
import type { AccountLayout, RawAccount } from '../../src/layout/account.ts';
import type { Fields } from '../../src/layout/struct.ts';
import { decodeLookupTable } from '../../src/lookup-table/lookup-table.ts';
import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  SCOPE_PROGRAM,
  SYSVAR_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/program-ids.ts';
import { oraclePrices } from '../../src/scope/oracle-prices.ts';
import { decodeClock } from '../../src/sysvar/clock.ts';
import { decodeMint } from '../../src/token/mint.ts';
import { decodeTokenAccount } from '../../src/token/token-account.ts';

/** An account decoder with the discriminator and the minimum length of its accounts. */
export interface Decoder {
  readonly name: string;
  readonly program: Address;
  readonly prefix: Uint8Array;
  readonly minBytes: number;
  decode(account: RawAccount): unknown;
}

const { klend, kvault, farms } = MAINNET_PROGRAMS;

function anchor<F extends Fields>(layout: AccountLayout<F>, program: Address): Decoder {
  return {
    name: layout.name,
    program,
    prefix: layout.discriminator,
    minBytes: layout.size,
    decode: (account) => layout.decode(account, program),
  };
}

function native(
  name: string,
  program: Address,
  minBytes: number,
  decode: (a: RawAccount) => unknown,
): Decoder {
  return { name, program, prefix: new Uint8Array(), minBytes, decode };
}

/** Every account decoder of the product. */
export const DECODERS: readonly Decoder[] = [
  anchor(lendingMarket, klend),
  anchor(reserve, klend),
  anchor(obligation, klend),
  anchor(userMetadata, klend),
  anchor(referrerTokenState, klend),
  anchor(vaultState, kvault),
  { ...anchor(vaultGlobalConfig, kvault), name: 'vault GlobalConfig' },
  anchor(farmState, farms),
  anchor(userState, farms),
  anchor(oraclePrices, SCOPE_PROGRAM),
  native('Mint', TOKEN_PROGRAM, 82, decodeMint),
  native('Token-2022 Mint', TOKEN_2022_PROGRAM, 82, decodeMint),
  native('TokenAccount', TOKEN_PROGRAM, 165, decodeTokenAccount),
  native('Token-2022 TokenAccount', TOKEN_2022_PROGRAM, 165, decodeTokenAccount),
  native('LookupTable', LOOKUP_TABLE_PROGRAM, 56, decodeLookupTable),
  native('Clock', SYSVAR_PROGRAM, 40, decodeClock),
];
