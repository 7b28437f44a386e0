import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import {
  POSITION_KEYS,
  POSITION_KINDS,
  type PositionAccount,
  type PositionChange,
  type PositionKind,
} from '../../../src/chain/positions/position-kinds.ts';
import type { Positions } from '../../../src/chain/positions/positions.ts';
import { addressNumber } from '../builders/lending-accounts.ts';

const BYTES: { readonly [K in PositionKind]: number } = {
  obligation: obligation.size,
  withdrawTicket: 200,
  userMetadata: 1_032,
  referrerTokenState: 360,
  farmUser: userState.size,
  tokenAccount: 165,
};
const WALLETS = 7;
const GROUPS = 3;

/** Account number `n` of a kind, with an amount somewhere in it. Some numbers share a wallet and a group. */
export function positionOf(kind: PositionKind, n: number, amount: bigint, slot: bigint): PositionAccount {
  const data = new Uint8Array(BYTES[kind]);
  const keys = POSITION_KEYS[kind];
  data.set(addressBytes(addressNumber(1_000 + (n % WALLETS))), keys.wallet);
  if (keys.group !== null) data.set(addressBytes(addressNumber(2_000 + (n % GROUPS))), keys.group);
  new DataView(data.buffer).setBigUint64(data.length - 24, amount, true);
  const owner = { farmUser: MAINNET_PROGRAMS.farms, tokenAccount: TOKEN_PROGRAM }[kind as string];
  return {
    kind,
    account: {
      address: addressNumber(3_000 + n * 10 + POSITION_KINDS.indexOf(kind)),
      owner: owner ?? MAINNET_PROGRAMS.klend,
      data,
      lamports: 1_000n + amount,
      slot,
    },
  };
}

export const changeTo = ({ kind, account }: PositionAccount): PositionChange => ({
  kind,
  address: account.address,
  account,
  slot: account.slot,
});

export const closing = ({ kind, account }: PositionAccount, slot: bigint): PositionChange => ({
  kind,
  address: account.address,
  account: null,
  slot,
});

/** Everything in them as text, in one order. */
export function contentsOf(positions: Positions | null | undefined): readonly string[] | null {
  if (!positions) return null;
  return [...positions.all()]
    .map(({ kind, account: { address, owner, data, lamports, slot } }) =>
      [kind, address, owner, lamports, slot, Buffer.from(data).toString('base64')].join(' '),
    )
    .sort();
}

/** A sequence of numbers that is the same in every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
