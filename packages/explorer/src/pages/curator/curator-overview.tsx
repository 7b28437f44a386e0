import type { ReactNode } from 'react';
import { Address } from '../../ui/address.tsx';
import { useCurrency } from '../../ui/currency.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Day } from '../../ui/time.tsx';
import { Count, Tokens, Usd } from '../../ui/value.tsx';
import type { CuratorDetail } from './curator-documents.ts';

export const UNKNOWN = 'A token of a vault has no price, or a reserve cannot be read';

/** What is in its vaults, what it has earned with them, and on what grounds we know its name. */
export function Overview({ curator }: { readonly curator: CuratorDetail }): ReactNode {
  const { value, fees, vaults, verified, authorities } = curator;
  const isSol = useCurrency() === 'SOL';
  return (
    <>
      <Headline label="In its vaults" under="It belongs to the holders of their shares.">
        {isSol ? (
          <Tokens value={value.sol} symbol="SOL" absent={UNKNOWN} />
        ) : (
          <Usd value={value.usd} absent={UNKNOWN} />
        )}
      </Headline>
      <hr className="rule" />
      <Figures>
        <Figure name="Vaults">
          <Count value={vaults.totalCount?.toString()} />
        </Figure>
        <Figure name="Performance fees" hint="Since each vault was created, at present prices">
          <Usd value={fees.performance.usd} absent={UNKNOWN} />
        </Figure>
        <Figure name="Management fees" hint="Since each vault was created, at present prices">
          <Usd value={fees.management.usd} absent={UNKNOWN} />
        </Figure>
        <Figure name="Fees not withdrawn">
          <Usd value={fees.pending.usd} absent={UNKNOWN} />
        </Figure>
      </Figures>
      {verified ? (
        <Claim curator={curator} />
      ) : (
        <Notice tone="caution">
          The catalogue of this gateway does not say to whom this admin authority belongs. The names of its
          vaults prove nothing.
        </Notice>
      )}
      {authorities.length > 1 && (
        <p className="links">
          Its admin authorities:
          {authorities.map((authority) => (
            <Address key={authority} address={authority} what="admin authority" />
          ))}
        </p>
      )}
    </>
  );
}

/** On what grounds the operator vouches for the name. */
function Claim({
  curator: { authorities, source, checkedAt, website },
}: {
  readonly curator: Pick<CuratorDetail, 'authorities' | 'source' | 'checkedAt' | 'website'>;
}): ReactNode {
  return (
    <p className="sub">
      The operator of this gateway says that{' '}
      {authorities.length === 1 ? 'this admin authority belongs' : 'these admin authorities belong'} to it.
      Source: {source}
      {checkedAt !== null && (
        <>
          , checked <Day value={checkedAt} />
        </>
      )}
      .
      {website !== null && (
        <>
          {' '}
          <a href={website} target="_blank" rel="noreferrer">
            {website}
          </a>
        </>
      )}
    </p>
  );
}
