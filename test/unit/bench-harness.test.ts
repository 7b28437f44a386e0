import { describe, expect, it } from 'vitest';
import { barChart } from '../../bench/charts/bar-chart.ts';
import { lineChart } from '../../bench/charts/line-chart.ts';
import { differences, EXACT, mustAgree, nestedFacts } from '../../bench/peers/facts.ts';
import { needed } from '../../bench/peers/installed-size.ts';
import { type NestedAnswer, nested } from '../../bench/peers/queries.ts';
import { percentile, spreadOf, threeDigits } from '../../bench/statistics.ts';

/** The names of a document's elements in order; throws if it is not well-formed. */
function elementsOf(xml: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  const tag = /<(\/?)([a-z]+)((?: [a-zA-Z][\w-]*="[^"<]*")*)(\/?)>/y;
  let roots = 0;
  for (let at = 0; at < xml.length; ) {
    const next = xml.indexOf('<', at);
    const text = xml.slice(at, next === -1 ? xml.length : next);
    if (/>|&(?!(?:amp|lt|gt|quot);)/.test(text)) throw new Error(`not escaped: ${text}`);
    if (open.length === 0 && text.trim() !== '') throw new Error(`text outside of the root: ${text}`);
    if (next === -1) break;
    tag.lastIndex = next;
    const [all = '', closing, name = '', attributes = '', empty] = tag.exec(xml) ?? [];
    if (all === '') throw new Error(`not a tag: ${xml.slice(next, next + 60)}`);
    const keys = [...attributes.matchAll(/ ([a-zA-Z][\w-]*)=/g)].map(([, key]) => key);
    if (new Set(keys).size < keys.length) throw new Error(`an attribute twice: ${all}`);
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`${name} is closed and was not open`);
    } else {
      if (open.length === 0) roots += 1;
      names.push(name);
      if (empty !== '/') open.push(name);
    }
    at = next + all.length;
  }
  if (open.length > 0 || roots !== 1) throw new Error('not one closed root');
  return names;
}

describe('statistics', () => {
  it('takes percentiles by the nearest rank, in any order', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(spreadOf([3, 1, 2])).toEqual({ count: 3, p50: 2, p99: 3 });
    expect(() => percentile([], 0.5)).toThrow('nothing was measured');
  });

  it('prints three significant digits', () => {
    expect([0.12345, 1.2345, 12.345, 123.45, 1234.5, Number.NaN].map(threeDigits)).toEqual([
      '0.123',
      '1.23',
      '12.3',
      '123',
      '1,235',
      '-',
    ]);
  });
});

describe('charts', () => {
  const bars = [
    { label: 'ours & <theirs>', value: 10, ours: true },
    { label: '"quoted"', value: 1_000, ours: false },
    { label: 'between', value: 100, ours: false },
  ];

  it('draws bars as well-formed XML, on a logarithmic scale', () => {
    const svg = barChart('A & B', [{ title: 'one', unit: 'ms', bars }]);
    const names = elementsOf(svg);
    expect(names[0]).toBe('svg');
    const widths = [...svg.matchAll(/width="([\d.]+)" height="14"/g)].map(([, width]) => Number(width));
    const [ten = 0, thousand = 0, hundred = 0] = widths;
    expect(widths).toHaveLength(bars.length);
    // Each factor of ten has the same width.
    expect(thousand - hundred).toBeCloseTo(hundred - (ten === 1 ? 0 : ten), 0);
    expect(svg).toContain('ours &amp; &lt;theirs&gt;');
  });

  it('draws lines as well-formed XML, each with all of its points', () => {
    const points = [1, 3, 10].map((x) => ({ x, y: x * 2 }));
    const svg = lineChart({
      title: 'growth',
      xUnit: 'x',
      yUnit: 'y',
      lines: [
        { label: 'a', points },
        { label: 'b', points: points.map(({ x }) => ({ x, y: 5 })) },
      ],
    });
    const names = elementsOf(svg);
    expect(names.filter((name) => name === 'polyline')).toHaveLength(2);
    expect(names.filter((name) => name === 'circle')).toHaveLength(6);
    expect(svg).not.toContain('NaN');
  });

  it('the XML reader of this test rejects malformed documents', () => {
    for (const wrong of ['<a><b></a></b>', '<a x="1" x="2"/>', '<a>&</a>', '<a/><b/>', '<a>', '<a x=1/>'])
      expect(() => elementsOf(wrong), wrong).toThrow();
  });
});

const ANSWER: NestedAnswer = {
  vaults: {
    nodes: [
      {
        address: 'V',
        name: 'Vault',
        token: { symbol: 'USDC', price: { usd: '1.5' } },
        totalValue: { amount: '1000', usd: '1500' },
        currentApy: { total: '0.06', base: '0.05' },
        allocations: [
          {
            invested: { amount: '900', usd: '1350' },
            reserve: {
              address: 'R',
              supplyApy: { total: '0.07', base: '0.055' },
              utilization: '0.8',
              price: { usd: '1.5' },
              market: { address: 'M', name: 'Market' },
              token: { symbol: 'USDC', price: { usd: '1.5' } },
            },
          },
        ],
      },
    ],
  },
};

describe('comparison of answers', () => {
  const ours = nestedFacts(ANSWER);
  const withFact = (name: string, value: string) => new Map([...ours, [name, value]]);
  const near = { relative: 1e-6, absolute: 1e-7 };

  it('extracts every fact from an answer', () => {
    expect(Object.fromEntries(ours)).toEqual({
      'vault V: name': 'Vault',
      'vault V: tokens': '1000',
      'vault V: apy': '0.06',
      'vault V: base apy': '0.05',
      'vault V: price': '1.5',
      'vault V: lent in R': '900',
      'reserve R: supply apy': '0.055',
      'reserve R: utilization': '0.8',
      'reserve R: market': 'Market',
      'reserve R: price': '1.5',
    });
  });

  it('finds another name, another number and a fact missing in our answer', () => {
    expect(differences(ours, ours, EXACT)).toEqual([]);
    expect(differences(ours, withFact('vault V: name', 'Value'), near)).toHaveLength(1);
    expect(differences(ours, withFact('vault V: tokens', '1000.01'), near)).toHaveLength(1);
    expect(differences(ours, withFact('vault W: tokens', '1000'), near)).toHaveLength(1);
    expect(differences(ours, withFact('vault V: tokens', ''), near)).toHaveLength(1);
  });

  it('tolerates floating-point error and nothing more', () => {
    expect(differences(ours, withFact('vault V: tokens', '1000.0005'), near)).toEqual([]);
    expect(differences(ours, withFact('vault V: base apy', '0.05000009'), near)).toEqual([]);
    expect(differences(ours, withFact('vault V: tokens', '1000.0005'), EXACT)).toHaveLength(1);
  });

  it('rejects a contender with different or too few facts', () => {
    const two = new Map([...ours].slice(0, 2));
    expect(mustAgree('they', ours, two, { tolerance: EXACT, share: 0.2 })).toBe(2);
    expect(() => mustAgree('they', ours, two, { tolerance: EXACT, share: 0.5 })).toThrow('too few');
    const wrong = withFact('reserve R: market', 'Mart');
    expect(() => mustAgree('they', ours, wrong, { tolerance: near, share: 0 })).toThrow('reserve R: market');
  });
});

describe('request variations', () => {
  it('change only the varied part', () => {
    expect(nested('same', 1)).toEqual(nested('same', 2));
    expect(nested('documents', 1).query).not.toBe(nested('documents', 2).query);
    expect(nested('documents', 1).variables).toEqual(nested('documents', 2).variables);
    expect(nested('variables', 1).query).toBe(nested('variables', 2).query);
    expect(nested('variables', 1).variables).not.toEqual(nested('variables', 2).variables);
  });
});

describe('size of an installation', () => {
  it('follows dependencies as Node resolves them and leaves out the rest', () => {
    const packages = {
      '': { dependencies: { a: '1' }, devDependencies: { dev: '1' } },
      'node_modules/a': {
        dependencies: { b: '1' },
        peerDependencies: { p: '1', q: '1' },
        peerDependenciesMeta: { q: { optional: true } },
      },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': { dependencies: { dev: '1' } },
      'node_modules/c': { optionalDependencies: { a: '1' } },
      'node_modules/p': {},
      'node_modules/q': {},
      'node_modules/dev': {},
    };
    expect([...needed(packages, ['a'])].sort()).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
      'node_modules/p',
    ]);
  });
});
