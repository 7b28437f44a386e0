import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { MarketsAtRisk } from '../../lending/markets-at-risk.tsx';
import { knownUsdSum } from '../../lending/usd-sum.ts';
import { Headline } from '../../ui/headline.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Usd } from '../../ui/value.tsx';
import { BestVaults } from './best-vaults.tsx';
import { PLATFORM } from './home-documents.ts';
import { MyPositions } from './my-positions.tsx';
import './home.css';

/** What is mine, what is worth a look, where idle tokens could earn, and which markets are at risk. */
export default function HomePage(): ReactNode {
  const { wallet } = useWalletChoice();
  const platform = useSluiceQuery(PLATFORM, {}, { refetchMs: 60_000 });
  const data = platform.data?.data;
  const markets = useMemo(() => data?.markets.nodes ?? [], [data]);
  return (
    <div className="page home">
      {wallet === null ? (
        <header className="hello">
          {data === undefined ? (
            <h1 className="visually-hidden">Home</h1>
          ) : (
            <h1>
              <Headline
                label={
                  <>
                    Supplied to {data.markets.totalCount ?? markets.length} markets,{' '}
                    <Usd
                      derived
                      value={knownUsdSum(data.vaults.nodes.map(({ totalValue }) => totalValue?.usd ?? null))}
                    />{' '}
                    of it through {data.vaults.totalCount ?? data.vaults.nodes.length} vaults
                  </>
                }
              >
                <Usd derived value={knownUsdSum(markets.map(({ totals }) => totals?.suppliedUsd ?? null))} />
              </Headline>
            </h1>
          )}
          <p>
            See what a vault earns, what stands behind it and how much can leave today, before you put in a
            dollar.
          </p>
          <div className="go">
            <Link href="/wallet" className="button primary">
              Connect a wallet
            </Link>
            <Link href="/wallet" className="button">
              Look at any wallet
            </Link>
          </div>
        </header>
      ) : (
        <MyPositions key={wallet.address} address={wallet.address} vaults={data?.vaults.nodes ?? []} />
      )}
      {data !== undefined && <BestVaults vaults={data.vaults.nodes} wallet={wallet?.address ?? null} />}
      {data !== undefined && <MarketsAtRisk markets={markets} most={5} />}
      {data === undefined && platform.error === null && <Loading what="the vaults and markets" />}
      {data === undefined && platform.error !== null && (
        <Failure error={platform.error} retry={() => void platform.refetch()} />
      )}
    </div>
  );
}
