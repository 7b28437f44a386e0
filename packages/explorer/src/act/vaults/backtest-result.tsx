import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { Percent } from '../../ui/value.tsx';
import { unknownText } from './unknown-growth.ts';
import type { Backtest } from './vault-plan-documents.ts';

interface BacktestResultProps {
  readonly backtest: Backtest;
  readonly nameOf: (reserve: string) => string;
}

/** What other weights would have earned, beside the present ones and what a share really grew. */
export function BacktestResult({ backtest, nameOf }: BacktestResultProps): ReactNode {
  const { from, to, given, current, recorded, limits } = backtest;
  const rows = [
    ['These weights', given.afterFees, given.unknown, given.unknownReserveAddress],
    ['The present weights', current.afterFees, current.unknown, current.unknownReserveAddress],
    ['What a share really grew', recorded.growth, recorded.unknown, null],
  ] as const;
  const gaps = given.reserves.flatMap(({ reserveAddress, gaps: all }) =>
    all.filter(({ bridged }) => bridged).map((gap) => ({ ...gap, reserve: reserveAddress })),
  );
  return (
    <section className="preview" aria-label="Backtest">
      {from !== null && to !== null && (
        <p>
          From <Time value={from} /> to <Time value={to} />, after fees:
        </p>
      )}
      <ChangeTable caption="Growth with other weights" heads={['With', 'Growth', 'A year']}>
        {rows.map(([name, growth, unknown]) => (
          <ChangeRow
            key={name}
            name={name}
            before={<Percent derived value={growth?.growth} absent={unknownText(unknown)} />}
            after={<Percent derived value={growth?.apy} absent={unknownText(unknown)} />}
          />
        ))}
      </ChangeTable>
      {rows.map(
        ([name, , unknown, reserve]) =>
          unknown !== null && (
            <Notice key={name} tone="caution" title={`${name}: unknown.`}>
              {unknownText(unknown)} {reserve !== null && `It is ${nameOf(reserve)}.`}
            </Notice>
          ),
      )}
      <ChangeTable
        caption="Growth of each reserve, before fees"
        heads={['Reserve, before fees', 'Its own growth', 'Adds']}
      >
        {given.reserves.map(({ reserveAddress, share, own, contribution }) => (
          <ChangeRow
            key={reserveAddress}
            name={`${nameOf(reserveAddress)}, ${Decimal.of(share).format({ style: 'percent', places: 1 })}`}
            before={<Percent derived value={own?.growth} absent={unknownText(given.unknown)} />}
            after={<Percent derived value={contribution} absent={unknownText(given.unknown)} />}
          />
        ))}
      </ChangeTable>
      {gaps.map(({ reserve, from: start, to: end }) => (
        <Notice key={`${reserve} ${start}`} tone="info">
          {nameOf(reserve)} is not recorded from <Time value={start} /> to <Time value={end} />. Its growth in
          between is known, but the vault was not rebalanced meanwhile.
        </Notice>
      ))}
      <details>
        <summary>What this cannot know</summary>
        <ul>
          {limits.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
