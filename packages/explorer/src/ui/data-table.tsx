import { type ReactNode, useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type Direction, type SortKey, sortedRows } from './row-order.ts';
import { Empty } from './states.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly name: string;
  /** Explanation of the column, on hover of its heading. */
  readonly hint?: string;
  readonly cell: (row: Row) => ReactNode;
  /** Without it the column cannot be sorted. */
  readonly sort?: SortKey<Row>;
  /** Defaults to `end` for a column that is sorted by a decimal. */
  readonly align?: 'start' | 'end';
}

export interface DataTableProps<Row> {
  /** Name of the rows, for screen readers and the filter, for example `Vaults`. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Route of the page about a row. The first cell links to it, so that it must not contain a link. */
  readonly href?: (row: Row) => string;
  /** Text that the filter searches. Without it there is no filter. */
  readonly filterText?: (row: Row) => string;
  readonly initialSort?: { readonly key: string; readonly direction: Direction };
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/** A sortable table that scrolls inside its own box: the page never scrolls sideways. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, columns, rowKey, href, filterText, initialSort, empty } = props;
  const [sort, setSort] = useState(initialSort);
  const [filter, setFilter] = useState('');
  const filterId = useId();
  const shown = useMemo(() => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const kept =
      filterText === undefined || words.length === 0
        ? rows
        : rows.filter((row) => {
            const text = filterText(row).toLowerCase();
            return words.every((word) => text.includes(word));
          });
    const by = columns.find(({ key }) => key === sort?.key)?.sort;
    return by === undefined || sort === undefined ? kept : sortedRows(kept, by, sort.direction);
  }, [rows, columns, filter, filterText, sort]);
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div className="data-table">
      {filterText !== undefined && (
        <div className="filter">
          <label htmlFor={filterId} className="visually-hidden">
            Filter {label.toLowerCase()}
          </label>
          <input
            id={filterId}
            type="search"
            placeholder="Filter"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
          <output htmlFor={filterId}>
            {shown.length === rows.length ? rows.length : `${shown.length} of ${rows.length}`}
          </output>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <section className="table-box" aria-label={`Table: ${label}`} tabIndex={0}>
        <table>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.key} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.key} scope="row" className={alignOf(column)}>
                      {href === undefined ? (
                        column.cell(row)
                      ) : (
                        <Link href={href(row)}>{column.cell(row)}</Link>
                      )}
                    </th>
                  ) : (
                    <td key={column.key} className={alignOf(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <Empty>Nothing matches “{filter}”.</Empty>}
      </section>
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: DataTableProps<Row>['initialSort'];
  readonly onSort: (sort: { readonly key: string; readonly direction: Direction }) => void;
}

/** Numbers are sorted largest first, text from A: a second click turns the order round. */
function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>): ReactNode {
  const { key, name, hint, sort: by } = column;
  const current = sort?.key === key ? sort.direction : undefined;
  const first = by !== undefined && 'decimal' in by ? 'descending' : 'ascending';
  const next = current === undefined ? first : current === 'ascending' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      title={hint}
      className={alignOf(column)}
      aria-sort={by === undefined ? undefined : (current ?? 'none')}
    >
      {by === undefined ? (
        name
      ) : (
        <button type="button" onClick={() => onSort({ key, direction: next })}>
          {name}
          <span aria-hidden="true" className="arrow">
            {current === undefined ? '↕' : current === 'ascending' ? '↑' : '↓'}
          </span>
        </button>
      )}
    </th>
  );
}

const alignOf = <Row,>({ align, sort }: Column<Row>): 'start' | 'end' =>
  align ?? (sort !== undefined && 'decimal' in sort ? 'end' : 'start');
