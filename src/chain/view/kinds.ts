import { type FarmState, farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { type LendingMarket, lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import type { RawAccount } from '@sluice/protocol/layout/account';
import { decodeLookupTable, type LookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { type ProgramIds, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { type OraclePrices, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { decodeMint, type Mint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { PositionValues } from '../positions/position-kinds.ts';

/** Decoded value of each kind of the catalogue. */
export interface KindValues {
  readonly market: LendingMarket;
  readonly reserve: Reserve;
  readonly vault: VaultState;
  readonly farm: FarmState;
  readonly mint: Mint;
  readonly table: LookupTable;
  readonly oracle: OraclePrices;
}

export type Kind = keyof KindValues;

/** An account that the View should hold. */
export interface WantedAccount {
  readonly kind: Kind;
  readonly address: Address;
}

/** Decoded value of each kind that can be read on demand: those of the catalogue and those of wallets. */
export interface LiveValues extends KindValues, PositionValues {}

export type LiveKind = keyof LiveValues;

export const KINDS: readonly Kind[] = ['market', 'reserve', 'vault', 'farm', 'mint', 'table', 'oracle'];

export function isKind(kind: LiveKind): kind is Kind {
  return (KINDS as readonly LiveKind[]).includes(kind);
}

/** Names of the kinds in messages. */
export const NAMES: { readonly [K in LiveKind]: string } = {
  market: 'lending market',
  reserve: 'reserve',
  vault: 'vault',
  farm: 'farm',
  mint: 'token mint',
  table: 'lookup table',
  oracle: 'price account',
  obligation: 'obligation',
  withdrawTicket: 'withdraw ticket',
  userMetadata: 'user metadata',
  referrerTokenState: "referrer's fees",
  farmUser: 'farm stake',
  tokenAccount: 'token account',
};

/** Usual size of an account of each kind, for dividing reads into pages. */
export const EXPECTED_BYTES: { readonly [K in LiveKind]: number } = {
  market: lendingMarket.size,
  reserve: reserve.size,
  vault: vaultState.size,
  farm: farmState.size,
  mint: 500,
  table: 8_248,
  oracle: oraclePrices.size,
  obligation: obligation.size,
  withdrawTicket: withdrawTicket.size,
  userMetadata: userMetadata.size,
  referrerTokenState: referrerTokenState.size,
  farmUser: userState.size,
  tokenAccount: 200,
};

/** Decoders by kind. The previous value lets a decoder reuse unchanged parts. @throws SluiceError for a wrong account */
export type Decoders = {
  readonly [K in LiveKind]: (account: RawAccount, last?: LiveValues[K]) => LiveValues[K];
};

export function decodersFor(programs: ProgramIds): Decoders {
  return {
    market: (account) => lendingMarket.decode(account, programs.klend),
    reserve(account, last) {
      const value = reserve.decode(account, programs.klend);
      // Interest changes a reserve constantly but not its configuration, which is reused.
      if (last !== undefined) reserve.body.shareField('config', last, value);
      return value;
    },
    vault: (account) => vaultState.decode(account, programs.kvault),
    farm: (account) => farmState.decode(account, programs.farms),
    mint: decodeMint,
    table: decodeLookupTable,
    oracle: (account) => oraclePrices.decode(account, SCOPE_PROGRAM),
    obligation: (account) => obligation.decode(account, programs.klend),
    withdrawTicket: (account) => withdrawTicket.decode(account, programs.klend),
    userMetadata: (account) => userMetadata.decode(account, programs.klend),
    referrerTokenState: (account) => referrerTokenState.decode(account, programs.klend),
    farmUser: (account) => userState.decode(account, programs.farms),
    tokenAccount: decodeTokenAccount,
  };
}

/** The same decoders, each reporting how long it took. */
export function timedDecoders(
  decoders: Decoders,
  onDecoded: (kind: LiveKind, durationMs: number) => void,
): Decoders {
  const timed = Object.entries(decoders).map(([kind, decode]) => [
    kind,
    (account: RawAccount, last?: never) => {
      const startedAt = performance.now();
      const value = decode(account, last);
      onDecoded(kind as LiveKind, performance.now() - startedAt);
      return value;
    },
  ]);
  return Object.fromEntries(timed) as Decoders;
}

/** The kinds that discovery searches for, with their owner and discriminator. */
export function discoverable(
  programs: ProgramIds,
): readonly { readonly kind: Kind; readonly program: Address; readonly discriminator: Uint8Array }[] {
  return [
    { kind: 'market', program: programs.klend, discriminator: lendingMarket.discriminator },
    { kind: 'reserve', program: programs.klend, discriminator: reserve.discriminator },
    { kind: 'vault', program: programs.kvault, discriminator: vaultState.discriminator },
  ];
}
