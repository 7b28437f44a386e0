// biome-ignore-all lint/a11y/noRedundantRoles: a table whose rows are drawn as cards loses its roles in some browsers.
import { type ReactNode, useId, useMemo } from 'react';
import { Link } from 'wouter';
import { type Direction, type SortKey, sortedRows } from './row-order.ts';
import { Empty } from './states.tsx';
import { useUrlState } from './url-state.ts';

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
  /** The figure beside the name of a card, on a narrow screen. */
  readonly isKey?: boolean;
  /** Left out where the table has little room; a card shows it. */
  readonly isMinor?: boolean;
}

export interface Sort {
  readonly key: string;
  readonly direction: Direction;
}

export interface DataTableProps<Row> {
  /** Name of the rows, for screen readers, the filter and the link, for example `Vaults`. Unique on its page. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Route of the page about a row. The first cell links to it, so that it must not contain a link. */
  readonly href?: (row: Row) => string;
  /** Text that the filter searches. Without it there is no filter. */
  readonly filterText?: (row: Row) => string;
  readonly initialSort?: Sort;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/** Longer lists have pages: nothing scrolls inside the page. */
const PAGE_ROWS = 25;

/**
 * A list: a sortable table where it is wide, cards where it is narrow. Sort, filter and page are in the link.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, columns, rowKey, href, filterText, empty } = props;
  const slug = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const { sort, setSort } = useSort(slug, columns, props.initialSort);
  const [filter, setFilter] = useUrlState(`${slug}.find`, '');
  const [pageText, setPage] = useUrlState(`${slug}.page`, '1');
  const found = useMemo(() => {
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
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const page = Math.min(pages, Math.max(1, Number.parseInt(pageText, 10) || 1));
  const shown = found.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  return (
    <div className="list-box">
      <ListTools
        label={label}
        columns={columns}
        sort={sort}
        onSort={setSort}
        filter={filterText === undefined ? null : filter}
        onFilter={(text) => {
          setPage('1');
          setFilter(text);
        }}
        found={found.length}
        of={rows.length}
      />
      <table className={`list ${widthOf(columns.length)}`} role="table">
        <caption className="visually-hidden">{label}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row" role="rowheader" className={classOf(column)}>
                    {href === undefined ? column.cell(row) : <Link href={href(row)}>{column.cell(row)}</Link>}
                  </th>
                ) : (
                  <td key={column.key} role="cell" className={classOf(column)} data-label={column.name}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {found.length === 0 && (
        <Empty>
          Nothing matches “{filter}”.{' '}
          <button type="button" className="quiet" onClick={() => setFilter('')}>
            Clear the filter
          </button>
        </Empty>
      )}
      {pages > 1 && (
        <nav className="pages" aria-label={`Pages of ${label.toLowerCase()}`}>
          <button type="button" disabled={page === 1} onClick={() => setPage(String(page - 1))}>
            Previous {PAGE_ROWS}
          </button>
          <button type="button" disabled={page === pages} onClick={() => setPage(String(page + 1))}>
            Next {PAGE_ROWS}
          </button>
          <output>
            Page {page} of {pages}
          </output>
        </nav>
      )}
    </div>
  );
}

/** The order, written in the link as `apy` or `-apy`. */
function useSort<Row>(slug: string, columns: readonly Column<Row>[], initial: Sort | undefined) {
  const [text, setText] = useUrlState(`${slug}.sort`, initial === undefined ? '' : textOf(initial));
  const sort = useMemo((): Sort | undefined => {
    const key = text.replace(/^-/, '');
    const isKnown = columns.some((column) => column.key === key && column.sort !== undefined);
    return isKnown ? { key, direction: text.startsWith('-') ? 'descending' : 'ascending' } : initial;
  }, [text, columns, initial]);
  return { sort, setSort: (next: Sort) => setText(textOf(next)) };
}

const textOf = ({ key, direction }: Sort): string => (direction === 'descending' ? `-${key}` : key);

interface ListToolsProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
  /** Null: the list cannot be filtered. */
  readonly filter: string | null;
  readonly onFilter: (text: string) => void;
  readonly found: number;
  readonly of: number;
}

/** The filter, and for cards, which have no headings, the choice of the order. */
function ListTools<Row>(props: ListToolsProps<Row>): ReactNode {
  const { label, columns, sort, onSort, filter, onFilter, found, of } = props;
  const id = useId();
  const sortable = columns.filter(({ sort: by }) => by !== undefined);
  if (filter === null && (sortable.length === 0 || of < 2)) return null;
  return (
    <div className="list-tools">
      {filter !== null && (
        <>
          <label htmlFor={`${id}-filter`} className="visually-hidden">
            Filter {label.toLowerCase()}
          </label>
          <input
            id={`${id}-filter`}
            type="search"
            placeholder="Filter"
            value={filter}
            onChange={({ target }) => onFilter(target.value)}
          />
          <output htmlFor={`${id}-filter`}>{found === of ? of : `${found} of ${of}`}</output>
        </>
      )}
      {sortable.length > 0 && (
        <label className="card-sort">
          Sort by{' '}
          <select
            value={sort?.key ?? ''}
            onChange={({ target }) => {
              const column = sortable.find(({ key }) => key === target.value);
              if (column !== undefined) onSort({ key: column.key, direction: firstDirection(column) });
            }}
          >
            {sort === undefined && <option value="">As listed</option>}
            {sortable.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** Numbers are sorted largest first, text from A. */
const firstDirection = <Row,>({ sort }: Column<Row>): Direction =>
  sort !== undefined && 'decimal' in sort ? 'descending' : 'ascending';

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
}

/** A second click turns the order round. */
function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>): ReactNode {
  const { key, name, hint, sort: by } = column;
  const current = sort?.key === key ? sort.direction : undefined;
  const next =
    current === undefined ? firstDirection(column) : current === 'ascending' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      role="columnheader"
      title={hint}
      className={classOf(column)}
      aria-sort={by === undefined ? undefined : (current ?? 'none')}
    >
      {by === undefined ? (
        name
      ) : (
        <button type="button" onClick={() => onSort({ key, direction: next })}>
          {name}
          <span aria-hidden="true" className="arrow">
            {current === undefined ? '' : current === 'ascending' ? '↑' : '↓'}
          </span>
        </button>
      )}
    </th>
  );
}

function classOf<Row>({ align, sort, isKey = false, isMinor = false }: Column<Row>): string {
  const side = align ?? (sort !== undefined && 'decimal' in sort ? 'end' : 'start');
  return `${side}${isKey ? ' key' : ''}${isMinor ? ' minor' : ''}`;
}

/** How much room a table needs before it is one: see styles/list.css. */
const widthOf = (columns: number): string => (columns <= 5 ? 'narrow' : columns <= 8 ? 'medium' : 'wide');
