import type { Program } from '@sluice/localnet/runtime/program';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { borrowV1, borrowV2, repayV1, repayV2 } from '@sluice/protocol/klend/action-instructions';
import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { refreshObligationFarmsForReserve } from '@sluice/protocol/klend/setup-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/lending/action.ts';
import {
  addressNumber,
  type LendingSetting,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const PROXY = addressNumber(66);

const POSITION: LendingSetting = {
  reserves: [{}, {}],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 500_000_000n]],
  balances: [10n ** 12n, 10n ** 12n],
};

/** The builder's transaction with the older version of the action in place of V2. */
function older(bench: LendingBench, action: 'borrow' | 'repay'): EncodedInstruction[] {
  const built = buildLending(bench.accounts, { baseUnits: 1_000_000n }, NOW).action.instructions;
  const instructions = built.filter(({ programAddress }) => programAddress === klend);
  const last = instructions.at(-1);
  if (last === undefined) throw new Error('no action');
  const args = { liquidityAmount: 1_000_000n };
  const replaced =
    action === 'borrow'
      ? borrowV1.encode(klend, borrowV2.decode(last).accounts, args)
      : repayV1.encode(klend, repayV2.decode(last).accounts, args);
  return [...instructions.slice(0, -1), replaced];
}

describe.each(['borrow', 'repay'] as const)('the older version of %s', (action) => {
  const bench = () => lendingBench(POSITION, action, 1);

  it('accepts the refreshes of reserve and obligation directly before it', () => {
    const chain = bench();
    expect(chain.failureOf(older(chain, action))).toBeNull();
    const debt = chain.obligation().borrows[0]?.borrowedAmountSf ?? 0n;
    expect(debt >> 60n).toBe(action === 'borrow' ? 501_000_000n : 499_000_000n);
  });

  it('6051: something else directly before it, or nothing', () => {
    const chain = bench();
    const [first, second, obligation, acted] = older(chain, action);
    if (!first || !second || !obligation || !acted) throw new Error('too short');
    expect(chain.failureOf([acted])).toBe(6051);
    expect(chain.failureOf([obligation, acted].slice(1))).toBe(6051);
    expect(chain.failureOf([first, second, obligation, second, acted])).toBe(6051);
    expect(chain.failureOf([first, second, obligation, obligation, acted])).toBe(6051);
  });

  it('2502: the refresh of another reserve', () => {
    const chain = bench();
    const [first, second, obligation, acted] = older(chain, action);
    if (!first || !second || !obligation || !acted) throw new Error('too short');
    expect(chain.failureOf([second, first, obligation, acted])).toBe(2502);
  });

  it('wants the refresh of the debt farm before and after', () => {
    const setting: LendingSetting = {
      ...POSITION,
      reserves: [{}, { farmDebt: true }],
      farmUsers: [{ reserve: 1, side: 'debt' }],
    };
    const chain = lendingBench(setting, action, 1);
    const instructions = older(chain, action);
    const { farmDebt } = chain.reserve(1);
    const farm = refreshObligationFarmsForReserve.encode(
      klend,
      {
        crank: WALLET,
        obligation: chain.obligationAddress,
        lendingMarketAuthority: marketAuthority(klend, MARKET).address,
        reserve: reserveAddress(1),
        reserveFarmState: farmDebt,
        obligationFarmUserState: farmUserState(farms, farmDebt, chain.obligationAddress).address,
        lendingMarket: MARKET,
        farmsProgram: farms,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      { mode: 1 },
    );
    const [before, acted] = [instructions.slice(0, -1), instructions.slice(-1)];
    expect(chain.failureOf([...before, ...acted])).toBe(6051);
    expect(chain.failureOf([...before, farm, ...acted])).toBe(6051);
    expect(chain.failureOf([...before, farm, ...acted, farm])).toBeNull();
  });

  it('6080: called by another program', () => {
    const chain = bench();
    const instructions = older(chain, action);
    const acted = instructions.at(-1);
    if (acted === undefined) throw new Error('too short');
    const proxy: Program = { address: PROXY, run: ({ invoke }) => invoke(acted) };
    const request = lendingRequest(action, { reserve: reserveAddress(1) });
    const proxied = new LendingBench(POSITION, request, [proxy]);
    const call = { ...acted, programAddress: PROXY };
    expect(proxied.failureOf([...instructions.slice(0, -1), call])).toBe(6080);
  });
});
