import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { part } from '../../format/numbers.ts';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { LentOutBar } from '../../lending/lent-out-bar.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { NO_PRICE, STATUS_WORDS } from '../../lending/words.ts';
import { MoneyValue } from '../../ui/currency.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { TokenMark } from '../../ui/mark.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Part, Percent, Price, ShownValue } from '../../ui/value.tsx';
import type { ReserveRow } from './market-documents.ts';

/**
 * @param shared tickers of several reserves of the market
 * @param grouped addresses of reserves that only elevation groups accept as collateral, or these too
 */
export const reserveColumns = (
  shared: ReadonlySet<string>,
  grouped: ReadonlySet<string>,
): readonly Column<ReserveRow>[] => [
  {
    key: 'token',
    name: 'Token',
    sort: { text: ({ token }) => token.symbol },
    cell: (reserve) => <ReserveName reserve={reserve} shared={shared.has(reserve.token.symbol)} />,
  },
  {
    key: 'supplied',
    name: 'Supplied',
    hint: 'Total that belongs to suppliers',
    isKey: true,
    sort: { decimal: ({ supplied }) => supplied.usd },
    cell: ({ supplied, token }) => (
      <span className="strong">
        <MoneyValue money={{ ...supplied, token }} />
      </span>
    ),
  },
  {
    key: 'utilization',
    name: 'Lent out',
    hint: 'Part of the supply that is borrowed',
    align: 'start',
    sort: { decimal: ({ utilization }) => utilization },
    cell: ({ utilization }) => <LentOutBar value={utilization} />,
  },
  {
    key: 'left',
    name: 'Left to borrow',
    hint: 'What anyone with enough collateral can borrow now',
    sort: { decimal: ({ borrowable }) => borrowable.usd },
    cell: ({ borrowable, token }) => <MoneyValue money={{ ...borrowable, token }} />,
  },
  {
    key: 'supplyApy',
    name: 'Earns',
    hint: 'Interest and rewards per year, compounded',
    sort: { decimal: ({ supplyApy }) => supplyApy.total },
    cell: ({ supplyApy }) => <Apy apy={supplyApy} />,
  },
  {
    key: 'borrowApy',
    name: 'Costs',
    hint: 'Interest less rewards per year, compounded',
    sort: { decimal: ({ borrowApy }) => borrowApy.total },
    cell: ({ borrowApy }) => <Apy apy={borrowApy} />,
  },
  {
    key: 'ltv',
    name: 'Collateral',
    hint: 'Part of a deposit that can be borrowed, outside elevation groups',
    sort: { decimal: ({ risk }) => risk.maxLtv },
    cell: ({ risk, address }) =>
      Decimal.of(risk.maxLtv).isZero ? (
        grouped.has(address) ? (
          'In groups'
        ) : (
          'Not accepted'
        )
      ) : (
        <ShownValue
          value={risk.maxLtv}
          show={(value) => {
            const { text, spoken } = part(value, { whole: true });
            return { text: `${text} of value`, spoken: `${spoken} of value` };
          }}
        />
      ),
  },
];

function ReserveName({
  reserve: { token, address, status, price },
  shared,
}: {
  readonly reserve: ReserveRow;
  readonly shared: boolean;
}): ReactNode {
  const word = STATUS_WORDS[status];
  return (
    <span className="name">
      <TokenMark name={token.symbol} size={36} />
      <span>
        {token.symbol}{' '}
        {word !== null && (
          <span title={word.why}>
            <Badge tone="caution">{word.name}</Badge>
          </span>
        )}
        <span className="line2">
          {shared ? shortAddress(address) : token.name} · <Price value={price?.usd} absent={NO_PRICE} />
        </span>
      </span>
    </span>
  );
}

/** The whole yield; where rewards are part of it, the interest alone below. */
function Apy({
  apy: { total, base },
}: {
  readonly apy: { readonly total: string; readonly base: string };
}): ReactNode {
  return (
    <>
      <span className="strong">
        <Percent value={total} />
      </span>
      {base !== total && (
        <span className="line2">
          interest <Percent value={base} />
        </span>
      )}
    </>
  );
}

/** What the list leaves out: debts, where a loan can be liquidated, and limits. */
export const LIMIT_COLUMNS: readonly Column<ReserveRow>[] = [
  {
    key: 'token',
    name: 'Token',
    sort: { text: ({ token }) => token.symbol },
    cell: ({ token }) => token.symbol,
  },
  {
    key: 'borrowed',
    name: 'Borrowed',
    hint: 'Total borrowed, with interest',
    isKey: true,
    sort: { decimal: ({ borrowed }) => borrowed.usd },
    cell: ({ borrowed, token }) => <TokenAmount amount={borrowed} symbol={token.symbol} />,
  },
  {
    key: 'threshold',
    name: 'Liquidation from',
    hint: 'Part of a deposit at which the debt can be liquidated, outside elevation groups',
    sort: { decimal: ({ risk }) => risk.liquidationLtv },
    cell: ({ risk }) => <Part whole value={risk.liquidationLtv} />,
  },
  {
    key: 'depositCap',
    name: 'Deposit limit',
    hint: 'Part of the deposit limit that is used',
    align: 'end',
    cell: ({ supplied, limits, token }) => (
      <CapMeter label="Deposits" used={supplied} capacity={limits.deposit} symbol={token.symbol} />
    ),
  },
  {
    key: 'borrowCap',
    name: 'Borrow limit',
    hint: 'Part of the borrow limit that is used',
    align: 'end',
    cell: ({ borrowed, limits, token }) => (
      <CapMeter label="Borrows" used={borrowed} capacity={limits.borrow} symbol={token.symbol} />
    ),
  },
];
