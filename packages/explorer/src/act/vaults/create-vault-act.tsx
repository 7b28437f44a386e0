import { PREVIEW_PLAN, type ResultOf } from '@sluice/client';
import { usePlan, useSluiceQuery } from '@sluice/client/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Address } from '../../ui/address.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Tokens } from '../../ui/value.tsx';
import { Warnings } from '../effects.tsx';
import { RunProgress, RunState } from '../run-state.tsx';
import { SelectField } from '../select-field.tsx';
import { initialTexts, readFields, type Texts } from '../tasks/task.ts';
import { TaskFields } from '../tasks/task-fields.tsx';
import { useSending } from '../use-sending.ts';
import type { ActWallet } from '../wallet-context.tsx';
import { createVaultActions, createVaultFields, tokensOf } from './create-vault.ts';
import { VAULT_RESERVES, type VaultReserve } from './create-vault-documents.ts';
import { newVaultKey, type VaultKey } from './vault-key.ts';

interface CreateVaultProps {
  readonly wallet: ActWallet;
}

const MOST_RESERVES = 100;
const PREVIEW_MS = 15_000;

/** Creates a vault. Its key pair is made here, and forgotten with the form. */
export default function CreateVault({ wallet }: CreateVaultProps): ReactNode {
  const { data: reserves, error } = useSluiceQuery(VAULT_RESERVES, {
    first: MOST_RESERVES,
    tokenMints: null,
  });
  const [count, setCount] = useState(0);
  const key = useQuery({
    queryKey: ['vault-key', wallet.address, count],
    queryFn: newVaultKey,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error !== null) return <Failure error={error} />;
  if (key.error !== null)
    return (
      <Notice tone="danger" title="This browser cannot make a key pair.">
        {key.error.message}
      </Notice>
    );
  if (reserves === undefined || key.data === undefined) return <Loading what="the form" />;
  const [first] = reserves.data.reserves.nodes;
  if (first === undefined) return <Empty>No reserve lends, so that a vault could not either.</Empty>;
  return (
    <CreateVaultForm
      key={key.data.address}
      wallet={wallet}
      vaultKey={key.data}
      reserves={reserves.data.reserves.nodes}
      initialMint={first.token.mint}
      again={() => setCount((before) => before + 1)}
    />
  );
}

interface CreateVaultFormProps extends CreateVaultProps {
  readonly vaultKey: VaultKey;
  readonly reserves: readonly VaultReserve[];
  readonly initialMint: string;
  /** Begins anew, with another key. */
  readonly again: () => void;
}

function CreateVaultForm({
  wallet,
  vaultKey,
  reserves,
  initialMint,
  again,
}: CreateVaultFormProps): ReactNode {
  const [mint, chooseMint] = useState(initialMint);
  const fields = createVaultFields(reserves, mint);
  const [typed, setTyped] = useState<Texts>({});
  const texts = { ...initialTexts(fields), ...typed };
  const { values, mistakes } = readFields(fields, texts);
  const actions = values === null ? [] : createVaultActions(wallet.address, vaultKey.address, mint, values);
  const { run, isRunning, start, reset } = usePlan(actions);
  const { send, problem } = useSending(wallet, start && ((signer) => start(vaultKey.cosigned(signer))));
  const result = useSluiceQuery(
    PREVIEW_PLAN,
    { actions: [...actions] },
    { enabled: actions.length > 0 && !isRunning && run.step !== 'succeeded', refetchMs: PREVIEW_MS },
  );
  const built = actions.length === 0 || result.isPlaceholderData ? undefined : result.data?.data.built;
  const canSend = canWork(built) && result.error === null && !isRunning;
  if (run.step === 'succeeded')
    return (
      <div className="act-form" ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
        <RunState run={run}>
          <button type="button" onClick={again}>
            Create another
          </button>
        </RunState>
        <p>
          Your new vault: <Address address={vaultKey.address} what="vault" />
        </p>
        <p>
          <Link href={`/vaults/${vaultKey.address}`}>Open the vault</Link> to add reserves and to deposit.
        </p>
      </div>
    );
  return (
    <form
      className="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) void send();
      }}
    >
      <p className="muted">
        You become the admin of a new vault, which everyone can deposit into. You can change all but its token
        later. Its address belongs to a key pair that this page has just made: it signs once, and is worth
        nothing afterwards.
      </p>
      <SelectField
        label="Token"
        value={mint}
        options={tokensOf(reserves)}
        onChange={(next) => {
          chooseMint(next);
          setTyped(({ reserve: _other, ...rest }) => rest);
        }}
      />
      <TaskFields
        fields={fields}
        texts={texts}
        mistakes={mistakes}
        onChange={(key, text) => setTyped((before) => ({ ...before, [key]: text }))}
      />
      {result.error !== null && <Failure error={result.error} />}
      {actions.length > 0 && built === undefined && result.error === null && (
        <p className="muted">Computing the effect…</p>
      )}
      {built !== undefined && <Steps built={built} />}
      <div className="row">
        <button type="submit" className="primary" disabled={!canSend}>
          Create the vault
        </button>
        <small className="muted">Signs with {wallet.name} and the new key</small>
      </div>
      <RunProgress run={run} isRunning={isRunning} problem={problem} onStop={reset} />
    </form>
  );
}

type Built = ResultOf<typeof PREVIEW_PLAN>['built'];

const canWork = (built: Built | undefined): boolean =>
  built?.__typename === 'TransactionPlan' && built.warnings.every(({ level }) => level !== 'ERROR');

type StepKind = Extract<Built, { readonly __typename: 'TransactionPlan' }>['steps'][number]['kind'];

const RENTS: Readonly<Partial<Record<StepKind, string>>> = {
  CREATE_VAULT: 'Rent of the vault and its accounts',
  SET_VAULT_ALLOCATION: 'Rent of its account in the reserve',
};

/** The form says that the new key signs, too. */
const SAID = 'NEW_VAULT_SIGNS';

function Steps({ built }: { readonly built: Built }): ReactNode {
  if (built.__typename !== 'TransactionPlan')
    return (
      <Notice tone="danger" title="The vault cannot be created.">
        {built.message} <code>{built.code}</code>
      </Notice>
    );
  const costs = built.steps.flatMap(({ kind, preview: { vault } }) =>
    vault === null
      ? []
      : [
          { key: `deposit ${kind}`, name: 'First deposit, which stays in the vault', paid: vault.paid },
          { key: `rent ${kind}`, name: RENTS[kind] ?? 'Rent', paid: vault.rent },
        ],
  );
  return (
    <section className="preview" aria-label="Preview">
      <ul>
        {costs.flatMap(({ key, name, paid }) =>
          paid === null
            ? []
            : [
                <li key={key}>
                  {name}: <Tokens derived value={paid.amount} symbol={paid.token.symbol} />
                </li>,
              ],
        )}
      </ul>
      <Warnings warnings={built.warnings.filter(({ code }) => code !== SAID)} />
    </section>
  );
}
