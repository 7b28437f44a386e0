import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DepositForm } from '../../../packages/client/examples/deposit-form.tsx';
import { createClient, Decimal, graphql } from '../../../packages/client/src/index.ts';
import {
  SluiceProvider,
  useAction,
  useLive,
  usePages,
  useSluiceQuery,
} from '../../../packages/client/src/react/index.ts';

/** Content of the page. A test changes it with `window.show`. */
export interface Shown {
  /** One component for each: two for the same address are two components. */
  readonly vaults?: readonly string[];
  /** The vaults of one stream. */
  readonly followed?: readonly string[];
  /** Page size of the list of vaults. */
  readonly first?: number;
  readonly deposit?: { readonly wallet: string; readonly vault: string };
  /** The form of the examples. */
  readonly form?: { readonly wallet: string; readonly vault: string };
}

declare global {
  interface Window {
    show(shown: Shown): void;
    /** Signs in the test. */
    sign(transaction: string): Promise<string>;
  }
}

const VAULT = graphql(
  `query Vault($address: Address!) { vault(address: $address) { id name tokensPerShare } }`,
);
const UPDATES = graphql(`subscription Updates($addresses: [Address!]!) {
  vaults(addresses: $addresses) { address slot vault { id tokensPerShare } }
}`);
const VAULTS = graphql(`query Vaults($first: Int!, $after: String) {
  vaults(first: $first, after: $after) {
    totalCount
    nodes { id address }
    pageInfo { endCursor hasNextPage }
  }
}`);
const POSITION = graphql(`query Position($vault: Address!, $wallet: Address!) {
  vault(address: $vault) { id position(wallet: $wallet) { id value { amount } } }
}`);

/** State that a test reads. */
function State({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  return <pre id={name}>{JSON.stringify(value)}</pre>;
}

function Vault({ address, index }: { readonly address: string; readonly index: number }): ReactNode {
  const { data } = useSluiceQuery(VAULT, { address });
  const { state, event } = useLive(UPDATES, { addresses: [address] });
  const slot = event?.data.vaults.slot ?? null;
  return <State name={`vault-${index}`} value={{ vault: data?.data.vault ?? null, state, slot }} />;
}

function Followed({ addresses }: { readonly addresses: readonly string[] }): ReactNode {
  const { state, event } = useLive(UPDATES, { addresses: [...addresses] });
  return <State name="followed" value={{ state, address: event?.data.vaults.address ?? null }} />;
}

function List({ first }: { readonly first: number }): ReactNode {
  const { nodes, totalCount, hasNext, loadMore } = usePages(
    VAULTS,
    { first },
    { connection: (data) => data.vaults },
  );
  const addresses = nodes.map(({ address }) => address);
  return (
    <>
      <State name="list" value={{ addresses, totalCount, hasNext }} />
      <button type="button" id="more" onClick={loadMore} />
    </>
  );
}

const signerOf = (wallet: string) => ({
  address: wallet,
  signTransactions: (transactions: readonly string[]) =>
    Promise.all(transactions.map((one) => window.sign(one))),
});

function Deposit({ wallet, vault }: { readonly wallet: string; readonly vault: string }): ReactNode {
  const [text, setText] = useState('');
  const amount = Decimal.parse(text);
  const { preview, run, start, reset } = useAction(
    amount && { vaultDeposit: { wallet, vault, amount: { tokens: amount.toString() } } },
  );
  const position = useSluiceQuery(POSITION, { vault, wallet }).data?.data.vault?.position;
  const [steps, setSteps] = useState<readonly string[]>([]);
  useEffect(
    () => setSteps((before) => (before.at(-1) === run.step ? before : [...before, run.step])),
    [run.step],
  );
  const shownPreview = {
    status: preview.status,
    tokens: preview.preview?.tokens ?? null,
    code: preview.status === 'failed' ? preview.error.code : null,
  };
  const shownRun = { steps, code: run.step === 'failed' ? run.error.code : null };
  return (
    <>
      <input id="amount" value={text} onChange={({ target }) => setText(target.value)} />
      <button type="button" id="start" disabled={start === null} onClick={() => start?.(signerOf(wallet))} />
      <button type="button" id="reset" onClick={reset} />
      <State
        name="deposit"
        value={{ preview: shownPreview, run: shownRun, deposited: position?.value?.amount ?? null }}
      />
    </>
  );
}

const root = createRoot(document.body.appendChild(document.createElement('div')));
const client = createClient({ url: location.origin });
window.show = ({ vaults = [], followed, first, deposit, form }) =>
  root.render(
    <StrictMode>
      <SluiceProvider client={client}>
        {vaults.map((address, index) => (
          <Vault key={index} address={address} index={index} />
        ))}
        {followed && <Followed addresses={followed} />}
        {first && <List first={first} />}
        {deposit && <Deposit {...deposit} />}
        {form && <DepositForm vault={form.vault} signer={signerOf(form.wallet)} />}
      </SluiceProvider>
    </StrictMode>,
  );
