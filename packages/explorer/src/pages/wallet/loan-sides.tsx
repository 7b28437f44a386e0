import type { ReactNode } from 'react';
import { purposeOf } from '../../act/loan-purpose.ts';
import { shortAddress } from '../../format/address.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Absent, Part, Percent, Plain, Price, Tokens, Usd } from '../../ui/value.tsx';
import type { LoansProps } from './loans.tsx';
import type { ActingProps } from './vault-positions.tsx';
import type { Loan } from './wallet-documents.ts';

type Deposit = Loan['deposits'][number];
type Borrow = Loan['borrows'][number];
type Side = Deposit | Borrow;

const NO_RESERVE = 'The reserve cannot be read.';

export interface LoanProps {
  readonly loan: Loan;
  readonly act: ActingProps['act'];
  /** Opens a form for the loan of another wallet too. */
  readonly open: LoansProps['open'];
  /** Why a field of the loan is null. */
  readonly why: (path: readonly (string | number)[], otherwise: string) => string;
}

/** Deposits and debts of a loan, with the prices at which it could be liquidated. */
export function LoanSides({ loan, act, why }: Omit<LoanProps, 'open'>): ReactNode {
  const whyOf = (list: 'deposits' | 'borrows') => (row: Side, field: string, otherwise: string) => {
    const sides: readonly Side[] = loan[list];
    return why([list, sides.indexOf(row), field], otherwise);
  };
  const deposits: readonly Column<Deposit>[] = [
    ...sideColumns<Deposit>('Deposit', whyOf('deposits'), actColumn(loan, act)),
    {
      key: 'apy',
      name: 'Supply APY',
      cell: ({ reserve }) => <Percent value={reserve?.supplyApy.total} absent={NO_RESERVE} />,
      align: 'end',
    },
    {
      key: 'ltv',
      name: 'LTV, max / liquidation',
      cell: ({ maxLtv, liquidationLtv }) => (
        <>
          <Part whole value={maxLtv} absent={NO_RESERVE} /> /{' '}
          <Part whole value={liquidationLtv} absent={NO_RESERVE} />
        </>
      ),
      align: 'end',
    },
  ];
  const borrows: readonly Column<Borrow>[] = [
    ...sideColumns<Borrow>('Debt', whyOf('borrows'), actColumn(loan, act)),
    {
      key: 'apy',
      name: 'Borrow APY',
      cell: ({ reserve }) => <Percent value={reserve?.borrowApy.total} absent={NO_RESERVE} />,
      align: 'end',
    },
    {
      key: 'factor',
      name: 'Borrow factor',
      hint: 'The debt is multiplied by it before it is compared with the limits',
      cell: ({ borrowFactor }) => <Plain value={borrowFactor} absent={NO_RESERVE} />,
      align: 'end',
    },
  ];
  const which = `of ${purposeOf(loan)} ${shortAddress(loan.address)}`;
  const shared = { rowKey: ({ reserveAddress }: Side) => reserveAddress, href: hrefOf };
  return (
    <>
      <DataTable
        {...shared}
        label={`Deposits ${which}`}
        rows={loan.deposits}
        columns={deposits}
        empty="No deposits."
      />
      {loan.borrows.length > 0 && (
        <DataTable
          {...shared}
          label={`Debts ${which}`}
          rows={loan.borrows}
          columns={borrows}
          empty="No debts."
        />
      )}
    </>
  );
}

const symbolOf = ({ reserve, reserveAddress }: Side): string =>
  reserve?.token.symbol ?? shortAddress(reserveAddress);

const hrefOf = ({ reserveAddress }: Side): string => `/reserves/${reserveAddress}`;

function sideColumns<Row extends Side>(
  name: string,
  why: (row: Side, field: string, otherwise: string) => string,
  act: readonly Column<Side>[],
): readonly Column<Row>[] {
  return [
    { key: 'token', name, cell: symbolOf },
    ...act,
    {
      key: 'amount',
      name: 'Amount',
      cell: (row) =>
        row.amount === null ? (
          <Absent why={why(row, 'amount', NO_RESERVE)} />
        ) : (
          <Tokens value={row.amount.amount} symbol={row.amount.token.symbol} />
        ),
      align: 'end',
    },
    {
      key: 'usd',
      name: 'Value',
      cell: (row) => <Usd value={row.amount?.usd} absent={why(row, 'amount', 'No price is known.')} />,
      align: 'end',
    },
    {
      key: 'price',
      name: 'Price',
      cell: (row) => (
        <Price value={row.reserve?.price?.usd} absent={why(row, 'reserve', 'No price is known.')} />
      ),
      align: 'end',
    },
    {
      key: 'liquidation',
      name: 'Liquidation price',
      hint: 'Price of this token at which the loan can be liquidated, all else unchanged',
      cell: (row) => (
        <Price
          value={row.liquidationPriceUsd}
          absent={why(
            row,
            'liquidationPriceUsd',
            'No price of this token alone leads to liquidation, or the loan has no debt.',
          )}
        />
      ),
      align: 'end',
    },
  ];
}

function actColumn(loan: Loan, act: LoanProps['act']): readonly Column<Side>[] {
  if (act === null) return [];
  return [
    {
      key: 'act',
      name: 'Act',
      cell: (row) => {
        const { reserve } = row;
        return reserve === null ? null : (
          <button
            type="button"
            aria-label={`Manage ${symbolOf(row)}`}
            onClick={() =>
              act({
                kind: 'lending',
                market: reserve.marketAddress,
                reserve: reserve.address,
                loan: loan.address,
              })
            }
          >
            Manage
          </button>
        );
      },
    },
  ];
}
