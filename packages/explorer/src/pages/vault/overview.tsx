import { Decimal, type SluiceError } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { leavingNow } from '../../lending/vault-cells.tsx';
import { absence } from '../../ui/absence.ts';
import { APY_SOURCES } from '../../ui/apy-sources.ts';
import { MoneyValue, useCurrency } from '../../ui/currency.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Legend, MixBar } from '../../ui/mix-bar.tsx';
import { Absent, Part, Percent, Tokens, Usd } from '../../ui/value.tsx';
import { roomUntilCap } from './allocation.ts';
import { placeNames } from './place-names.ts';
import { VAULT_POSITION, type VaultDetail } from './vault-documents.ts';
import { VaultFigures } from './vault-figures.tsx';

const UNREADABLE = 'A reserve of this vault cannot be read';

interface OverviewProps {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}

/** The yield with its sources, then what the vault has, what is mine, what could leave and what could come. */
export function Overview({ vault, errors }: OverviewProps): ReactNode {
  const { wallet } = useWalletChoice();
  const why = (field: string) => absence(errors, ['vault', field], UNREADABLE);
  return (
    <>
      <Headline label="APY now">
        <Percent value={vault.currentApy?.total} absent={why('currentApy')} />
      </Headline>
      {vault.currentApy !== null && <Sources vault={vault} apy={vault.currentApy} />}
      <hr className="rule" />
      <Figures>
        <Figure
          name="Value"
          hint="Idle and invested tokens less pending fees: what belongs to the shareholders"
          detail={
            <Tokens value={vault.totalValue?.amount} symbol={vault.token.symbol} absent={why('totalValue')} />
          }
        >
          <MoneyValue money={vault.totalValue} absent={why('totalValue')} />
        </Figure>
        {wallet !== null && <Position address={vault.address} wallet={wallet.address} />}
        <Leaving vault={vault} why={why('withdrawableNow')} />
        <Room vault={vault} />
      </Figures>
      <details>
        <summary>Share price, interest and yield in detail</summary>
        <VaultFigures vault={vault} errors={errors} />
      </details>
    </>
  );
}

function Sources({
  vault,
  apy,
}: {
  readonly vault: VaultDetail;
  readonly apy: NonNullable<VaultDetail['currentApy']>;
}): ReactNode {
  const words = sourceWords(vault);
  const parts = APY_SOURCES.filter(({ field }) => field === 'base' || !Decimal.of(apy[field]).isZero);
  return (
    <div className="apy-mix">
      <MixBar parts={parts.map(({ field, color }) => ({ key: field, color, value: apy[field] }))} />
      <Legend
        entries={parts.map(({ field, color }) => ({
          color,
          text: (
            <>
              <b>
                <Percent value={apy[field]} />
              </b>{' '}
              {words[field]}
            </>
          ),
        }))}
      />
    </div>
  );
}

/** Interest stays; rewards end, so the words name who pays them. */
function sourceWords({ farm, rewards }: Pick<VaultDetail, 'farm' | 'rewards'>) {
  const paid = (farm?.rewards ?? [])
    .filter(({ apr }) => apr !== null)
    .sort((a, b) => Decimal.of(b.apr ?? '0').compare(Decimal.of(a.apr ?? '0')));
  const largest = paid[0]?.token?.symbol;
  const sources = [...new Set(rewards.map(({ source }) => source))].join(', ');
  return {
    base: 'interest, after fees',
    farmRewards:
      largest === undefined
        ? 'farm rewards'
        : `farm rewards, ${paid.length > 1 ? 'mostly ' : 'in '}${largest}`,
    reserveRewards: 'rewards of its reserves',
    incentives: sources === '' ? 'incentives' : `incentives, ${sources}`,
  } as const;
}

function Position({ address, wallet }: { readonly address: string; readonly wallet: string }): ReactNode {
  const result = useSluiceQuery(VAULT_POSITION, { address, wallet }, { refetchMs: 15_000 });
  const isUsd = useCurrency() === 'USD';
  const position = result.data?.data.vault?.position ?? null;
  const errors = result.data?.errors ?? [];
  const why = absence(errors, ['vault', 'position'], result.error?.message ?? 'It is being read');
  if (position === null)
    return (
      <Figure name="Your position">
        <Absent why={why} />
      </Figure>
    );
  const isNone = position.value !== null && Decimal.of(position.value.amount).isZero;
  const noProfit = absence(errors, ['vault', 'position', 'pnl'], 'A price was not recorded');
  return (
    <Figure
      name="Your position"
      detail={
        isNone ? (
          'You hold no shares'
        ) : (
          <>
            {isUsd ? (
              <Usd value={position.pnl?.usd} signed derived absent={noProfit} />
            ) : (
              <Tokens
                value={position.pnl?.token}
                symbol={position.value?.token.symbol ?? ''}
                signed
                derived
                absent={noProfit}
              />
            )}{' '}
            profit so far
          </>
        )
      }
    >
      <MoneyValue
        money={isNone ? null : position.value}
        none={isNone}
        derived
        absent={isNone ? 'No shares' : why}
      />
    </Figure>
  );
}

function Leaving({ vault, why }: { readonly vault: VaultDetail; readonly why: string }): ReactNode {
  return (
    <Figure
      name="Can leave now"
      hint="Idle tokens and the available liquidity of the reserves"
      detail={
        <>
          <Part whole derived value={leavingNow(vault)} absent={why} /> of the vault
        </>
      }
    >
      <MoneyValue money={vault.withdrawableNow} absent={why} />
    </Figure>
  );
}

function Room({ vault }: { readonly vault: VaultDetail }): ReactNode {
  const room = roomUntilCap(vault);
  const hint = 'Deposits until the first cap is reached, when they are divided by the weights of the vault';
  if (room === null)
    return (
      <Figure name="Room until a cap" hint={hint} detail="Neither the vault nor a reserve has a cap">
        No cap
      </Figure>
    );
  const names = placeNames(vault.allocations);
  const place = room.reserveAddress === null ? 'the vault' : (names.get(room.reserveAddress) ?? 'a reserve');
  const isFull = Decimal.of(room.amount).isZero;
  return (
    <Figure
      name="Room until a cap"
      hint={hint}
      detail={isFull ? `${place} is full` : `then ${place} is full`}
    >
      <MoneyValue money={{ ...room, token: vault.token }} derived />
    </Figure>
  );
}
