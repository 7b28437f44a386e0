import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { NO_PRICE, STATUS_WORDS } from '../../lending/words.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Part, Percent, Price } from '../../ui/value.tsx';
import type { ReserveRow } from './market-documents.ts';

/** @param shared tickers of several reserves of the market. */
export const reserveColumns = (shared: ReadonlySet<string>): readonly Column<ReserveRow>[] => [
  {
    key: 'token',
    name: 'Reserve',
    sort: { text: ({ token }) => token.symbol },
    cell: (reserve) => <ReserveName reserve={reserve} shared={shared.has(reserve.token.symbol)} />,
  },
  {
    key: 'price',
    name: 'Price',
    sort: { decimal: ({ price }) => price?.usd },
    cell: ({ price }) => <Price value={price?.usd} absent={NO_PRICE} />,
  },
  {
    key: 'supplied',
    name: 'Supplied',
    hint: 'Total that belongs to suppliers',
    sort: { decimal: ({ supplied }) => supplied.usd },
    cell: ({ supplied, token }) => <TokenAmount amount={supplied} symbol={token.symbol} />,
  },
  {
    key: 'borrowed',
    name: 'Borrowed',
    hint: 'Total borrowed, with interest',
    sort: { decimal: ({ borrowed }) => borrowed.usd },
    cell: ({ borrowed, token }) => <TokenAmount amount={borrowed} symbol={token.symbol} />,
  },
  {
    key: 'utilization',
    name: 'Utilization',
    hint: 'Borrowed / supplied',
    sort: { decimal: ({ utilization }) => utilization },
    cell: ({ utilization }) => <Meter label="Utilization" value={utilization} />,
  },
  {
    key: 'supplyApy',
    name: 'Supply APY',
    hint: 'Interest and rewards per year, compounded',
    sort: { decimal: ({ supplyApy }) => supplyApy.total },
    cell: ({ supplyApy }) => <ApyWithInterest apy={supplyApy} />,
  },
  {
    key: 'borrowApy',
    name: 'Borrow APY',
    hint: 'Interest less rewards per year, compounded',
    sort: { decimal: ({ borrowApy }) => borrowApy.total },
    cell: ({ borrowApy }) => <ApyWithInterest apy={borrowApy} />,
  },
  {
    key: 'ltv',
    name: 'LTV / threshold',
    hint: 'Part of a deposit that can be borrowed / at which the debt can be liquidated, outside elevation groups',
    sort: { decimal: ({ risk }) => risk.maxLtv },
    cell: ({ risk }) => (
      <>
        <Part whole value={risk.maxLtv} /> / <Part whole value={risk.liquidationLtv} />
      </>
    ),
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

function ReserveName({
  reserve: { token, address, status },
  shared,
}: {
  readonly reserve: ReserveRow;
  readonly shared: boolean;
}): ReactNode {
  const word = STATUS_WORDS[status];
  return (
    <span className="two-lines">
      <span>
        {token.symbol}{' '}
        {word !== null && (
          <span title={word.why}>
            <Badge tone="caution">{word.name}</Badge>
          </span>
        )}
      </span>
      <small>{shared ? shortAddress(address) : token.name}</small>
    </span>
  );
}

/** The whole APY; where rewards are part of it, the interest alone below. */
function ApyWithInterest({
  apy: { total, base },
}: {
  readonly apy: { readonly total: string; readonly base: string };
}): ReactNode {
  return (
    <span className="two-lines">
      <Percent value={total} />
      {base !== total && (
        <small>
          interest <Percent value={base} />
        </small>
      )}
    </span>
  );
}
