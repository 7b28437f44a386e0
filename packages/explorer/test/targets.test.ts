import { describe, expect, it } from 'vitest';
import { moveText } from '../src/act/vaults/move-words.ts';
import {
  backtestWeights,
  initialTarget,
  maySign,
  readTargets,
  type TargetReserve,
  type TypedTargets,
} from '../src/act/vaults/targets.ts';

const USDC = { symbol: 'USDC', decimals: 6 };
const MAIN: TargetReserve = { address: 'main', name: 'Main', present: { weight: '900', cap: '100' } };
const OTHER: TargetReserve = { address: 'other', name: 'Other', present: { weight: '100', cap: null } };
const NEW: TargetReserve = { address: 'new', name: 'New', present: null };
const RESERVES = [MAIN, OTHER, NEW];
const UNTOUCHED: TypedTargets = { reserves: {}, idle: '0' };

const typed = (reserves: TypedTargets['reserves'], idle = '0'): TypedTargets => ({ reserves, idle });
const read = (targets: TypedTargets, reserves: readonly TargetReserve[] = RESERVES) =>
  readTargets(reserves, targets, '0', USDC);

describe('the targets of a vault', () => {
  it('are none while nothing is changed', () => {
    expect(read(UNTOUCHED, [MAIN, OTHER])).toEqual({
      wanted: { targets: [], unallocatedWeight: undefined },
      mistakes: {},
    });
  });

  it('name what differs, and a new reserve with its weight', () => {
    const targets = typed(
      {
        main: { weight: '300', cap: 'none', remove: false },
        other: { ...initialTarget(OTHER), remove: true },
        new: { weight: '50', cap: '7.5', remove: false },
      },
      '20',
    );
    expect(read(targets).wanted).toEqual({
      targets: [
        { reserve: 'main', weight: '300', cap: { none: 'NONE' } },
        { reserve: 'other', remove: true },
        { reserve: 'new', weight: '50', cap: { tokens: '7.5' } },
      ],
      unallocatedWeight: '20',
    });
  });

  it('are missing while a field is wrong, which is named', () => {
    const targets = typed({ main: { weight: '-1', cap: '', remove: false } }, 'much');
    const { wanted, mistakes } = read(targets);
    expect(wanted).toBeNull();
    expect(Object.keys(mistakes)).toEqual(['main', 'idle']);
  });

  it('are reached by the admin, and by anyone where no term changes', () => {
    const vault = { admin: 'admin', allocationAdmin: 'allocator' };
    const may = (targets: TypedTargets, wallet: string, reserves = [MAIN, OTHER]) => {
      const { wanted } = read(
        targets,
        targets === UNTOUCHED ? [MAIN, OTHER] : RESERVES.slice(0, reserves.length),
      );
      if (wanted === null) throw new Error('malformed');
      return maySign(vault, [MAIN, OTHER], wanted, wallet);
    };
    const weights = typed({ main: { weight: '1', cap: '', remove: false } });
    const removal = typed({ main: { weight: '1', cap: '', remove: true } });
    expect(may(UNTOUCHED, 'anyone')).toBe(true);
    expect(['admin', 'allocator', 'anyone'].map((wallet) => may(weights, wallet))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['admin', 'allocator'].map((wallet) => may(removal, wallet))).toEqual([true, false]);
    expect(may(typed({}, '5'), 'allocator')).toBe(false);
    expect(may(weights, 'allocator', RESERVES)).toBe(false);
  });
});

describe('the weights of a backtest', () => {
  it('are those of all reserves that get something', () => {
    const { wanted } = read(typed({ main: { weight: '300', cap: '', remove: false } }));
    if (wanted === null) throw new Error('malformed');
    expect(backtestWeights(RESERVES, wanted, '40')).toEqual({
      weights: [
        { reserve: 'main', weight: '300' },
        { reserve: 'other', weight: '100' },
      ],
      unallocatedWeight: '40',
    });
  });

  it('leave out a reserve that is left', () => {
    const { wanted } = read(typed({ main: { weight: '900', cap: '', remove: true } }, '7'));
    if (wanted === null) throw new Error('malformed');
    expect(backtestWeights([MAIN, OTHER], wanted, '0')).toEqual({
      weights: [{ reserve: 'other', weight: '100' }],
      unallocatedWeight: '7',
    });
  });
});

describe('a move in words', () => {
  const same = { before: '900', after: '900' };
  const move = { summary: 'As the gateway says', reserve: 'main' };
  const nameOf = () => 'Main';
  const allocation = {
    weight: same,
    cap: { before: null, after: null },
    tokens: { before: '5000', after: '5000' },
  };

  it('says which way tokens go', () => {
    const text = (after: string) =>
      moveText(
        { ...move, kind: 'INVEST_VAULT', allocation: { ...allocation, tokens: { before: '5000', after } } },
        'USDC',
        nameOf,
      );
    expect(text('4987.5')).toBe('Take 12.5 USDC out of Main');
    expect(text('25000')).toBe('Put 20,000 USDC into Main');
  });

  it('says what changes of the terms', () => {
    const changed = {
      ...allocation,
      weight: { before: '900', after: '300' },
      cap: { before: null, after: '250000' },
    };
    expect(moveText({ ...move, kind: 'SET_VAULT_ALLOCATION', allocation: changed }, 'USDC', nameOf)).toBe(
      'Set Main, weight from 900 to 300, cap from none to 250,000 USDC',
    );
    expect(moveText({ ...move, kind: 'REMOVE_VAULT_ALLOCATION', allocation }, 'USDC', nameOf)).toBe(
      'Leave Main for good',
    );
    expect(
      moveText({ ...move, kind: 'SET_VAULT_CONFIG', reserve: null, allocation: null }, 'USDC', nameOf),
    ).toBe('As the gateway says');
  });
});
