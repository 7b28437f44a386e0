import { Decimal, graphql, type ResultOf } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { tokens } from '../../format/numbers.ts';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { looksLikeSignature } from '../../ui/looks-like-address.ts';
import { Badge, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Tokens } from '../../ui/value.tsx';
import { placeRoute } from './place-route.ts';
import './transaction.css';

const TRANSACTION = graphql(`
  query Transaction($signature: String!) {
    transaction(signature: $signature) {
      signature
      slot
      blockTime
      feeLamports
      error { name message }
      logs
      balanceChanges { change { amount token { mint symbol } } after { amount } }
      explanation {
        feePayer
        version
        sizeBytes
        signers { address }
        instructions {
          programAddress
          programName
          name
          summary
          accounts { address role name isSigner isWritable }
          arguments { name value }
        }
      }
    }
  }
`);

type Landed = NonNullable<ResultOf<typeof TRANSACTION>['transaction']>;
type Instruction = Landed['explanation']['instructions'][number];

/** A transaction that is new may reach the gateway a moment later. */
const AGAIN_MS = 5_000;

export default function TransactionPage({ signature }: { readonly signature: string }): ReactNode {
  const variables = { signature };
  const isSignature = looksLikeSignature(signature);
  const first = useSluiceQuery(TRANSACTION, variables, { enabled: isSignature, refetchMs: AGAIN_MS * 12 });
  const landed = first.data?.data.transaction ?? null;
  return (
    <Page title="Transaction" aside={<Address address={signature} what="signature" />}>
      {!isSignature ? (
        <section className="panel">
          <Empty>This is not the signature of a transaction: it has 86 to 88 letters and digits.</Empty>
        </section>
      ) : (
        <>
          <Panel title="In words" document={TRANSACTION} variables={variables} result={first}>
            {() =>
              landed === null ? <NotThere retry={() => void first.refetch()} /> : <InWords landed={landed} />
            }
          </Panel>
          {landed !== null && <Places landed={landed} />}
          {landed !== null && <Raw landed={landed} />}
        </>
      )}
    </Page>
  );
}

function NotThere({ retry }: { readonly retry: () => void }): ReactNode {
  return (
    <div className="state empty">
      <p>
        No block has this transaction. It has not arrived yet, it was never sent, or it is older than what the
        gateway’s sources keep.
      </p>
      <button type="button" onClick={retry}>
        Look again
      </button>
    </div>
  );
}

/** Instructions that a reader need not know: they read prices and open empty accounts. */
const PREPARES = /^(refresh|create|setComputeUnit|syncNative)/i;

function InWords({ landed }: { readonly landed: Landed }): ReactNode {
  const { error, explanation, blockTime, feeLamports, balanceChanges } = landed;
  const told = explanation.instructions.filter(({ name }) => name === null || !PREPARES.test(name));
  const sentences = told.length === 0 ? explanation.instructions : told;
  const prepared = explanation.instructions.length - sentences.length;
  return (
    <>
      {error !== null && (
        <Notice tone="danger" title="It did not go through. No money moved.">
          {error.message} Only the network fee was paid.
        </Notice>
      )}
      <ol className="sentences">
        {sentences.map(({ summary }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an instruction can occur twice, and the order is fixed.
          <li key={index}>{summary}</li>
        ))}
      </ol>
      {prepared > 0 && (
        <p className="sub">
          {prepared === 1 ? 'One instruction prepares' : `${prepared} instructions prepare`} this: prices are
          read and accounts are opened.
        </p>
      )}
      <Figures>
        <Figure name="Outcome">
          {error === null ? <Badge tone="safe">Went through</Badge> : <Badge tone="danger">Failed</Badge>}
        </Figure>
        <Figure name="When">{blockTime === null ? 'Unknown' : <Time value={blockTime} />}</Figure>
        <Figure name="Network fee">{tokens(Decimal.fromBaseUnits(feeLamports, 9), 'SOL').text}</Figure>
        <Figure name="Signed by">
          <Address address={explanation.feePayer} href={`/wallet/${explanation.feePayer}`} what="wallet" />
        </Figure>
      </Figures>
      <h3>What it changed in the wallet</h3>
      {balanceChanges.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <dl className="changes">
          {balanceChanges.map(({ change, after }) => (
            <div key={change.token.mint}>
              <dt>{change.token.symbol}</dt>
              <dd>
                <Tokens value={change.amount} symbol={change.token.symbol} signed />
                <span className="sub">
                  {' '}
                  to <Tokens value={after.amount} symbol={change.token.symbol} />
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Vaults, markets, reserves and wallets that the transaction names, each once. */
function Places({ landed: { explanation } }: { readonly landed: Landed }): ReactNode {
  const places = new Map<string, { readonly name: string; readonly route: string }>();
  for (const { accounts } of explanation.instructions)
    for (const { address, role, name, isSigner } of accounts) {
      const route = placeRoute(role, isSigner);
      if (address !== null && route !== null && !places.has(address))
        places.set(address, {
          name: isSigner ? 'Wallet that signed' : (name ?? route.what),
          route: `${route.base}/${address}`,
        });
    }
  if (places.size === 0) return null;
  return (
    <section className="panel" aria-label="What it is about">
      <header>
        <h2>What it is about</h2>
      </header>
      <ul className="places">
        {[...places].map(([address, { name, route }]) => (
          <li key={address}>
            <span>{name}</span> <Address address={address} href={route} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everything, for those who ask. */
function Raw({ landed: { explanation, slot, logs, signature } }: { readonly landed: Landed }): ReactNode {
  return (
    <section className="panel raw" aria-label="Raw data">
      <details>
        <summary>Accounts, arguments and log lines</summary>
        <p className="sub mono">{signature}</p>
        <p className="sub">
          Slot {slot}, version {explanation.version}, {explanation.sizeBytes} bytes
        </p>
        {explanation.instructions.map((instruction, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an instruction can occur twice, and the order is fixed.
          <RawInstruction key={index} instruction={instruction} />
        ))}
        <h3>Log lines</h3>
        {logs.length === 0 ? <p>None were kept.</p> : <pre>{logs.join('\n')}</pre>}
      </details>
    </section>
  );
}

function RawInstruction({ instruction }: { readonly instruction: Instruction }): ReactNode {
  const { programAddress, programName, name, accounts, arguments: args } = instruction;
  return (
    <>
      <h3>
        {programName ?? programAddress}: {name ?? 'unknown instruction'}
      </h3>
      <dl className="changes">
        {args.map((arg) => (
          <div key={arg.name}>
            <dt>{arg.name}</dt>
            <dd className="mono">{arg.value}</dd>
          </div>
        ))}
        {accounts.map(({ address, role, name: called, isSigner, isWritable }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an account can occur twice, and the order is fixed.
          <div key={index}>
            <dt>
              {role ?? `account ${index}`}
              {isSigner && ', signs'}
              {isWritable && ', writable'}
            </dt>
            <dd>
              {called !== null && `${called} `}
              {address === null ? 'Unknown' : <Address address={address} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
