import { type ReactNode, useMemo } from 'react';
import { day } from '../../format/dates.ts';
import { formatPercent, formatUsd } from '../../lending/chart-formats.ts';
import { secondsOf } from '../../lending/columns.ts';
import { Chart } from '../../ui/chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Day } from '../../ui/time.tsx';
import { useUrlChoice } from '../../ui/url-state.ts';
import { Tokens } from '../../ui/value.tsx';
import { NoHistory, type VaultHistoryState } from './history-panels.tsx';
import { isKnown, placeSeries } from './history-series.ts';
import type { Move } from './moves.ts';
import { placeNames } from './place-names.ts';
import type { VaultPoint } from './vault-documents.ts';

type Unit = 'usd' | 'part';

const UNITS: readonly (readonly [Unit, string])[] = [
  ['usd', 'Dollars'],
  ['part', 'Parts'],
];

/** More would stand on each other. */
const MOST_FLAGS = 9;

interface WherePanelProps {
  readonly history: VaultHistoryState;
  /** Newest first. Null when they cannot be read, or are being read. */
  readonly moves: readonly Move[] | null;
  readonly whyNoMoves: string;
  readonly symbol: string;
}

/** The value of the vault by market over time, with what its curator moved. */
export function WherePanel({
  history: { panel, errors },
  moves,
  whyNoMoves,
  symbol,
}: WherePanelProps): ReactNode {
  const [unit, setUnit] = useUrlChoice<Unit>('where', ['usd', 'part'], 'usd');
  return (
    <Panel
      title="Where the money has been"
      {...panel}
      secondary
      controls={
        <Choice label="Unit of the value by market" options={UNITS} value={unit} onChange={setUnit} />
      }
    >
      {({ vault }) => {
        const points = vault?.metricsHistory?.points ?? null;
        return points === null ? (
          <NoHistory errors={errors} />
        ) : (
          <Where points={points} unit={unit} moves={moves} whyNoMoves={whyNoMoves} symbol={symbol} />
        );
      }}
    </Panel>
  );
}

interface WhereProps extends Pick<WherePanelProps, 'moves' | 'whyNoMoves' | 'symbol'> {
  readonly points: readonly VaultPoint[];
  readonly unit: Unit;
}

function Where({ points, unit, moves, whyNoMoves, symbol }: WhereProps): ReactNode {
  const xs = useMemo(() => secondsOf(points), [points]);
  const series = useMemo(() => {
    const names = placeNames(points.flatMap(({ reserves }) => reserves).filter(isFirst));
    return placeSeries(points, unit, names);
  }, [points, unit]);
  const since = points[0]?.timestamp;
  const inRange = useMemo(
    () => (since === undefined ? [] : (moves ?? []).filter(({ createdAt }) => createdAt >= since)),
    [moves, since],
  );
  const flagged = useMemo(() => inRange.slice(0, MOST_FLAGS).reverse(), [inRange]);
  const flags = useMemo(
    () =>
      flagged.map(({ createdAt }, index) => ({ x: Date.parse(createdAt) / 1_000, label: `${index + 1}` })),
    [flagged],
  );
  const known = isKnown(series);
  return (
    <>
      {since !== undefined && (
        <p className="sub">
          Value by market, {day(new Date(since), new Date())} to today.
          {flags.length > 0 && ' Numbers mark what was moved.'}
        </p>
      )}
      <Chart
        label={`Value of the vault by market over time, with ${flags.length} moves`}
        xs={known ? xs : []}
        series={series}
        format={unit === 'usd' ? formatUsd : formatPercent}
        height={280}
        flags={flags}
        empty={xs.length === 0 ? undefined : 'The token had no price in this range. Choose parts.'}
      />
      {flagged.length === 0 ? (
        <p className="sub">{moves === null ? whyNoMoves : lastMove(moves)}</p>
      ) : (
        <ol className="moves">
          {flagged.map(({ signature, createdAt, amount, words }) => (
            <li key={signature}>
              <span>
                {amount === null ? null : <Tokens value={amount.toString()} symbol={symbol} derived />}{' '}
                {amount === null ? capital(words) : words}
              </span>
              <span className="sub">
                <Day value={createdAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {inRange.length > flagged.length && (
        <p className="sub">
          The newest {flagged.length} of {inRange.length} in this range.
        </p>
      )}
    </>
  );
}

/** The first of each reserve: its name is that of now. */
function isFirst(
  { reserveAddress }: { readonly reserveAddress: string },
  index: number,
  all: readonly { readonly reserveAddress: string }[],
): boolean {
  return all.findIndex((other) => other.reserveAddress === reserveAddress) === index;
}

const lastMove = ([newest]: readonly Move[]): string =>
  newest === undefined
    ? 'Nothing was ever moved.'
    : `Nothing was moved in this range. The last move was on ${day(new Date(newest.createdAt), new Date())}.`;

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
