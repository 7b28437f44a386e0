import type { SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { absence } from '../../ui/absence.ts';
import { APY_SOURCES } from '../../ui/apy-sources.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Percent, Tokens, Usd } from '../../ui/value.tsx';
import type { VaultDetail } from './vault-documents.ts';

const UNREADABLE = 'A reserve of this vault cannot be read';
const UNPRICED = 'No price is known for the token';

interface FiguresProps {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}

/** Share price, interest and yield of the vault now, beside its headline. */
export function VaultFigures({ vault, errors }: FiguresProps): ReactNode {
  const { symbol } = vault.token;
  const why = (field: string, otherwise = UNREADABLE) => absence(errors, ['vault', field], otherwise);
  return (
    <>
      <Figures>
        <Figure
          name="Share price"
          hint="Value of one share"
          detail={<Usd value={vault.sharePriceUsd} absent={why('sharePriceUsd', UNPRICED)} />}
        >
          <Tokens value={vault.tokensPerShare} symbol={symbol} absent={why('tokensPerShare')} />
        </Figure>
        <Figure name="Lent out" hint="Part of the value that the reserves have lent to borrowers">
          <Percent value={vault.utilization} absent={why('utilization')} />
        </Figure>
        <Figure
          name="Interest earned"
          hint="Since the vault was created, before fees"
          detail={<Tokens value={vault.interest?.earned.amount} symbol={symbol} absent={why('interest')} />}
        >
          <Usd
            value={vault.interest?.earned.usd}
            absent={vault.interest === null ? why('interest') : UNPRICED}
          />
        </Figure>
      </Figures>
      <ApyFigures vault={vault} errors={errors} />
    </>
  );
}

/** The yield and its sources, which add up to it. */
function ApyFigures({ vault: { currentApy, theoreticalApy }, errors }: FiguresProps): ReactNode {
  const absent = absence(errors, ['vault', 'currentApy'], UNREADABLE);
  return (
    <section aria-label="APY by source" className="apy-sources">
      <Figures>
        <Figure
          name="APY"
          hint="Current yield of shareholders per year, after fees and with all rewards"
          detail={
            <>
              <Percent
                value={theoreticalApy?.total}
                absent={absence(errors, ['vault', 'theoreticalApy'], UNREADABLE)}
              />{' '}
              at the target weights
            </>
          }
        >
          <Percent value={currentApy?.total} absent={absent} />
        </Figure>
        {APY_SOURCES.map(({ field, label, about, color }) => (
          <Figure
            key={field}
            name={label}
            hint={about}
            {...(field === 'base' && currentApy?.feeImpact ? { detail: feeDetail(currentApy) } : {})}
          >
            <i aria-hidden="true" style={{ background: `var(${color})` }} />
            <Percent value={currentApy?.[field]} absent={absent} />
          </Figure>
        ))}
      </Figures>
    </section>
  );
}

const feeDetail = ({ grossBase, feeImpact }: NonNullable<VaultDetail['currentApy']>): ReactNode => (
  <>
    <Percent value={grossBase} /> before fees, <Percent value={feeImpact} /> by fees
  </>
);
