import type { Decimal } from '@sluice/client';
import { type ReactNode, useId } from 'react';
import { part } from '../../format/numbers.ts';
import { RISK_WORDS, type Risk } from '../../format/risk.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { RiskBadge } from '../../ui/health.tsx';
import { Empty } from '../../ui/states.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { ShownValue } from '../../ui/value.tsx';
import { type Picture, pictureOf, placeOf } from './health-geometry.ts';
import { detailOf, distanceShown, overallRisk, type PicturedLoan, pictureSentence } from './health-loans.ts';
import './health-picture.css';

const BANDS: readonly (readonly [risk: Risk, from: number, to: number])[] = [
  ['danger', 0, 0.1],
  ['caution', 0.1, 0.25],
  ['safe', 0.25, 1],
];

export interface HealthPictureProps {
  readonly loans: readonly PicturedLoan[];
  /** What is supposed, in words. Null while nothing is. */
  readonly supposed: string | null;
}

/** All loans of a wallet on the one scale of risk: a dot now, a dashed ring in the what-if. */
export function HealthPicture({ loans, supposed }: HealthPictureProps): ReactNode {
  const heading = useId();
  const [box, width] = useWidth<HTMLDivElement>(740);
  const overall = overallRisk(loans);
  const picture = pictureOf(
    width,
    loans.map(({ distance }) => distance),
  );
  return (
    <section className="panel" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>Health of all loans</h2>
        {overall !== null && <RiskBadge risk={overall.risk}>{overall.words}</RiskBadge>}
      </header>
      <div ref={box} className="health-picture">
        {loans.length === 0 ? (
          <Empty>No loan has a debt with known prices, so that there is nothing to liquidate.</Empty>
        ) : (
          <>
            <Drawing loans={loans} picture={picture} />
            <ul className="legend picture-legend">
              <li>
                <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                  <circle className="dot" cx="7" cy="7" r="6" />
                </svg>
                Now
              </li>
              {supposed !== null && (
                <li>
                  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                    <circle className="ring" cx="7" cy="7" r="5.5" />
                  </svg>
                  In the what-if: {supposed}
                </li>
              )}
            </ul>
            <details className="more">
              <summary>The same as a table</summary>
              <DataTable
                label="Health of loans"
                rows={loans}
                columns={supposed === null ? COLUMNS : [...COLUMNS, THEN]}
                rowKey={({ address }) => address}
                empty="No loans."
              />
            </details>
          </>
        )}
      </div>
    </section>
  );
}

function Drawing({
  loans,
  picture,
}: {
  readonly loans: readonly PicturedLoan[];
  readonly picture: Picture;
}): ReactNode {
  const patterns = useId();
  const { width, height, top, bottom, left, right, most } = picture;
  const fills: Readonly<Record<Risk, string>> = {
    danger: `url(#${patterns}-danger)`,
    caution: `url(#${patterns}-caution)`,
    safe: 'var(--safe-soft)',
  };
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={pictureSentence(loans)}
    >
      <defs>
        <pattern
          id={`${patterns}-danger`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="6" height="6" fill="var(--danger-soft)" />
          <rect width="2" height="6" fill="var(--danger)" opacity="0.35" />
        </pattern>
        <pattern id={`${patterns}-caution`} width="7" height="7" patternUnits="userSpaceOnUse">
          <rect width="7" height="7" fill="var(--caution-soft)" />
          <circle cx="2" cy="2" r="1" fill="var(--caution)" opacity="0.55" />
        </pattern>
      </defs>
      {BANDS.map(([risk, from, to]) => {
        const [start, end] = [placeOf(picture, from), placeOf(picture, Math.min(to, most))];
        return (
          <g key={risk}>
            <rect x={start} y={top} width={end - start} height={bottom - top} fill={fills[risk]} />
            <text className={`band ${risk}`} x={(start + end) / 2} y={top - 8} textAnchor="middle">
              {RISK_WORDS[risk]}
            </text>
          </g>
        );
      })}
      {picture.ticks.map((tick) => (
        <text
          key={tick}
          className="tick"
          x={placeOf(picture, tick)}
          y={bottom + 16}
          textAnchor={
            tick === 0 && picture.namesAbove
              ? 'start'
              : tick > most - 0.01 && picture.namesAbove
                ? 'end'
                : 'middle'
          }
        >
          {Math.round(tick * 100)}%
        </text>
      ))}
      <text className="tick" x={left} y={bottom + 34}>
        {right - left < 360
          ? 'Fall of the collateral before liquidation'
          : 'How far the collateral may fall, against the debt, before liquidation'}
      </text>
      {loans.map((loan, index) => (
        <Line key={loan.address} loan={loan} picture={picture} y={picture.lines[index] ?? 0} />
      ))}
    </svg>
  );
}

/** Longer names are cut: the table has them whole. */
const NAME_LENGTH = { beside: 26, above: 44 } as const;

function Line({
  loan,
  picture,
  y,
}: {
  readonly loan: PicturedLoan;
  readonly picture: Picture;
  readonly y: number;
}): ReactNode {
  const { namesAbove, left } = picture;
  const at = placeOf(picture, loan.distance);
  const ring = loan.supposed === null ? null : placeOf(picture, loan.supposed);
  const isApart = ring !== null && Math.abs(ring - at) > 1;
  const nearEnd = at > picture.right - 60;
  const name = shortened(loan.name, namesAbove ? NAME_LENGTH.above : NAME_LENGTH.beside);
  return (
    <g>
      <text className="name" x={namesAbove ? left + 6 : 0} y={namesAbove ? y - 26 : y - 4}>
        {name}
      </text>
      <text className="detail" x={namesAbove ? left + 6 : 0} y={namesAbove ? y - 11 : y + 13}>
        {detailOf(loan)}
      </text>
      <line className="stem" x1={left} x2={Math.max(at, ring ?? at)} y1={y} y2={y} />
      <circle className="dot" cx={at} cy={y} r="7" />
      <text className="at" x={nearEnd ? at - 14 : at + 14} y={y + 4} textAnchor={nearEnd ? 'end' : 'start'}>
        {distanceShown(loan.distance)}
      </text>
      {ring !== null && isApart && (
        <>
          <circle className="ring moving" cx={ring} cy={y} r="7" />
          <text className="then" x={clamped(ring, picture)} y={y + 24} textAnchor="middle">
            {distanceShown(loan.supposed ?? loan.distance)} in the what-if
          </text>
        </>
      )}
    </g>
  );
}

/** The words below a ring stay inside the field. */
const clamped = (x: number, { left, right }: Picture): number => Math.min(right - 70, Math.max(left + 70, x));

const shortened = (name: string, length: number): string =>
  name.length <= length ? name : `${name.slice(0, length - 1)}…`;

const distanceCell = (distance: Decimal | null): ReactNode =>
  distance === null ? (
    'Unknown'
  ) : (
    <ShownValue
      derived
      value={distance.toString()}
      show={(value) =>
        value.isNegative ? { text: 'Can be liquidated', spoken: 'Can be liquidated' } : part(value)
      }
    />
  );

const COLUMNS: readonly Column<PicturedLoan>[] = [
  { key: 'loan', name: 'Loan', cell: ({ name }) => name },
  { key: 'health', name: 'Health', cell: ({ health }) => health, align: 'end' },
  { key: 'risk', name: 'Risk', cell: ({ risk }) => <RiskBadge risk={risk} /> },
  {
    key: 'now',
    name: 'Away from liquidation',
    cell: ({ distance }) => distanceCell(distance),
    align: 'end',
    isKey: true,
  },
];

const THEN: Column<PicturedLoan> = {
  key: 'then',
  name: 'In the what-if',
  cell: ({ supposed }) => distanceCell(supposed),
  align: 'end',
};
