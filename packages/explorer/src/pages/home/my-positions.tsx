import { Decimal } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { health as healthText } from '../../format/numbers.ts';
import { formatUsd } from '../../lending/chart-formats.ts';
import { knownUsdSum } from '../../lending/usd-sum.ts';
import { Chart } from '../../ui/chart.tsx';
import { largestOf, MoneyValue, useCurrency } from '../../ui/currency.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Headline } from '../../ui/headline.tsx';
import { healthRisk, RiskBadge } from '../../ui/health.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlaceMark, TokenMark } from '../../ui/mark.tsx';
import { Awaited, Empty, Failure, Loading } from '../../ui/states.tsx';
import { Absent, Percent, Tokens, Usd } from '../../ui/value.tsx';
import { type Attention, attentionOf } from './attention.ts';
import { MINE, type Mine, type OfferedVaultRow } from './home-documents.ts';
import { type MyRow, myRows } from './my-rows.ts';

const FIRST_THINGS = 3;

export interface MyPositionsProps {
  readonly address: string;
  readonly vaults: readonly OfferedVaultRow[];
}

/** What the connected wallet has, what is worth a look, and what earns nothing. */
export function MyPositions({ address, vaults }: MyPositionsProps): ReactNode {
  const result = useSluiceQuery(MINE, { address }, { refetchMs: 60_000 });
  const wallet = result.data?.data.wallet;
  if (wallet === undefined) {
    return (
      <section className="panel" aria-label="Your positions">
        <h1 className="visually-hidden">Home</h1>
        {result.error === null ? (
          <Loading what="your positions" />
        ) : (
          <Failure error={result.error} retry={() => void result.refetch()} />
        )}
      </section>
    );
  }
  return (
    <div className="with-aside">
      <NetValue address={address} wallet={wallet} />
      <div>
        <WorthALook address={address} wallet={wallet} />
        <NotEarning wallet={wallet} vaults={vaults} />
      </div>
    </div>
  );
}

function NetValue({ address, wallet }: { readonly address: string; readonly wallet: Mine }): ReactNode {
  const rows = useMemo(() => myRows(wallet, address), [wallet, address]);
  const largest = largestOf(rows.map(({ value }) => value?.usd));
  const isSol = useCurrency() === 'SOL';
  return (
    <section className="panel" aria-labelledby="my-value">
      <h1 id="my-value">
        <Headline
          label="Your net value"
          under={
            isSol ? (
              <Usd value={wallet.netValue?.usd} absent="A token has no price" />
            ) : (
              <Tokens value={wallet.netValue?.sol} symbol="SOL" absent="A token has no price" />
            )
          }
        >
          {isSol ? (
            <Tokens value={wallet.netValue?.sol} symbol="SOL" absent="A token has no price" />
          ) : (
            <Usd value={wallet.netValue?.usd} absent="A token has no price" />
          )}
        </Headline>
      </h1>
      <ValueChart history={wallet.metricsHistory} />
      <hr className="rule" />
      <DataTable
        label="Your positions"
        rows={rows}
        columns={positionColumns(largest)}
        rowKey={({ key }) => key}
        href={({ route }) => route}
        empty={<NothingYet />}
      />
    </section>
  );
}

const NothingYet = (): ReactNode => (
  <>
    Nothing here yet: this wallet has no deposits and no loans. <Link href="/vaults">See the vaults</Link>
  </>
);

const positionColumns = (largest: Decimal | undefined): readonly Column<MyRow>[] => [
  {
    key: 'position',
    name: 'Position',
    cell: ({ name, detail, token }) => (
      <span className="name">
        <PlaceMark name={name} {...(token === null ? {} : { token })} />
        <span>
          {name}
          <span className="line2">{detail}</span>
        </span>
      </span>
    ),
  },
  {
    key: 'value',
    name: 'Value',
    align: 'end',
    isKey: true,
    cell: ({ value }) => (
      <strong>
        <MoneyValue money={value} largest={largest} absent="A token or a reserve has no price" />
      </strong>
    ),
  },
  {
    key: 'rate',
    name: 'Rate now',
    align: 'end',
    cell: ({ rate }) => <Percent value={rate} absent="A reserve cannot be read" />,
  },
  {
    key: 'state',
    name: 'Profit or risk',
    align: 'end',
    cell: ({ profit, health }) =>
      health !== null ? (
        <RiskBadge risk={healthRisk(health)}>
          {healthText(Decimal.of(health)).text} <span className="visually-hidden">health</span>
        </RiskBadge>
      ) : profit === undefined ? (
        <Absent why="The loan has no debt" none />
      ) : (
        <Usd signed value={profit} absent="The price at the time of a transaction was not recorded" />
      ),
  },
];

/** A line, cut where its values are: so it has no fill. */
function ValueChart({ history }: { readonly history: Mine['metricsHistory'] }): ReactNode {
  const points = useMemo(
    () => (history?.points ?? []).filter(({ value }) => value !== null && value.usd !== null),
    [history],
  );
  if (points.length < 2) return history === null ? <Awaited /> : null;
  return (
    <Chart
      label="Net value of your vault positions over 30 days"
      xs={points.map(({ timestamp }) => Date.parse(timestamp) / 1_000)}
      series={[
        {
          label: 'In vaults',
          color: '--series-1',
          values: points.map(({ value }) => Decimal.of(value?.usd ?? '0').toApproximateNumber()),
        },
      ]}
      format={formatUsd}
      height={150}
    />
  );
}

function WorthALook({ address, wallet }: { readonly address: string; readonly wallet: Mine }): ReactNode {
  const things = useMemo(() => attentionOf(wallet, address), [wallet, address]);
  return (
    <section className="panel" aria-labelledby="worth-a-look">
      <header>
        <h2 id="worth-a-look">Worth a look</h2>
        <span className="sub">{things.length === 1 ? '1 thing' : `${things.length} things`}</span>
      </header>
      {things.length === 0 ? (
        <Empty>Nothing needs you now.</Empty>
      ) : (
        <>
          <Things things={things.slice(0, FIRST_THINGS)} />
          {things.length > FIRST_THINGS && (
            <details className="more">
              <summary>{things.length - FIRST_THINGS} more</summary>
              <Things things={things.slice(FIRST_THINGS)} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

function Things({ things }: { readonly things: readonly Attention[] }): ReactNode {
  return (
    <ul className="todo">
      {things.map(({ key, tone, title, text, route, action }) => (
        <li key={key} className={tone}>
          <Icon name={tone} />
          <div>
            <strong>{title}</strong>
            <p className="sub">{text}</p>
            <Link href={route} className="button small" aria-label={`${action}: ${title}`}>
              {action}
            </Link>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Tokens in the wallet that a vault would take. */
function NotEarning({
  wallet,
  vaults,
}: { readonly wallet: Mine } & Pick<MyPositionsProps, 'vaults'>): ReactNode {
  const idle = useMemo(() => {
    const taken = new Set(vaults.map(({ token }) => token.mint));
    return (wallet.balances ?? [])
      .filter(({ token, usd }) => token.sharesOf === null && usd !== null && taken.has(token.mint))
      .sort((a, b) => Decimal.of(b.usd ?? '0').compare(Decimal.of(a.usd ?? '0')));
  }, [wallet, vaults]);
  if (idle.length === 0) return null;
  const largest = largestOf(idle.map(({ usd }) => usd));
  return (
    <section className="panel" aria-labelledby="not-earning">
      <header>
        <h2 id="not-earning">Not earning</h2>
        <strong>
          <Usd derived value={knownUsdSum(idle.map(({ usd }) => usd))} />
        </strong>
      </header>
      <ul className="idle">
        {idle.map(({ amount, usd, token }) => (
          <li key={token.mint}>
            <TokenMark name={token.symbol} size={28} />
            <Tokens value={amount} symbol={token.symbol} />
            <span className="muted">
              <Usd value={usd} largest={largest} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
