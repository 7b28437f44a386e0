import type { AccountReader } from '@sluice/localnet/runtime/account-overlay';
import { type WithdrawTicket, withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import type { Address, KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import { accountIn } from '../../../packages/localnet/test/support/chain/test-world.ts';
import type { ActingApp, Landed } from './acting-app.ts';

/** Builds of the withdraw queue over GraphQL and REST on a frozen localnet. */

const { klend } = MAINNET_PROGRAMS;

export const QUEUE_BUILDERS = {
  enqueue: ['buildEnqueueWithdraw', 'EnqueueWithdrawInput', '/ktx/klend/enqueue-withdraw'],
  pay: ['buildWithdrawQueued', 'WithdrawQueuedInput', '/ktx/klend/withdraw-queued'],
  cancel: ['buildCancelWithdrawTicket', 'CancelWithdrawTicketInput', '/ktx/klend/cancel-withdraw-ticket'],
  recover: ['buildRecoverWithdrawTicket', 'RecoverWithdrawTicketInput', '/ktx/klend/recover-withdraw-ticket'],
} as const;

export type QueueKind = keyof typeof QUEUE_BUILDERS;

const CHANGE = '{ before after }';
export const QUEUE_FIGURES = `withdrawQueue {
  ticket sequenceNumber owner destination ticketsAhead state collateral ${CHANGE} tokens ${CHANGE}
  paid { baseUnits token { mint } } returned { baseUnits token { mint } } rent { baseUnits }
}`;

interface Change {
  readonly before: string;
  readonly after: string;
}

interface Units {
  readonly baseUnits: string;
  readonly token: { readonly mint: Address };
}

export interface TicketFigures {
  readonly ticket: Address;
  readonly sequenceNumber: string;
  readonly owner: Address;
  readonly destination: Address;
  readonly ticketsAhead: string | null;
  readonly state: string | null;
  readonly collateral: Change;
  readonly tokens: Change;
  readonly paid: Units | null;
  readonly returned: Units | null;
  readonly rent: Pick<Units, 'baseUnits'> | null;
}

export interface QueuePlan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string }[];
  readonly preview: {
    readonly tokens: Change | null;
    readonly healthFactor: { readonly before: string | null; readonly after: string | null } | null;
    readonly utilization: Change | null;
    readonly withdrawQueue: TicketFigures;
    readonly warnings: readonly { readonly code: string; readonly level: string; readonly message: string }[];
  };
  readonly simulation: {
    readonly success: boolean;
    readonly logs: readonly string[];
    readonly error: { readonly code: number | null; readonly name: string | null } | null;
  };
}

const U64_MAX = '18446744073709551615';

/** The body of REST for an input of GraphQL. */
const bodyOf = (input: Readonly<Record<string, unknown>>) => {
  const amount = input.amount as { readonly tokens?: string } | undefined;
  return amount === undefined ? input : { ...input, amount: amount.tokens ?? U64_MAX };
};

export class QueueBuilds {
  readonly #world: ActingApp;

  constructor(world: ActingApp) {
    this.#world = world;
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    return { 'x-min-slot': String(await this.#world.rpc.getSlot().send()) };
  }

  /** A build over GraphQL, with its simulation. */
  async build(kind: QueueKind, input: object): Promise<QueuePlan> {
    const [mutation, type] = QUEUE_BUILDERS[kind];
    const { data, errors } = await this.#world.gateway.query<{ plan: QueuePlan }>(
      `mutation ($input: ${type}!) { plan: ${mutation}(input: $input) {
        __typename
        ... on BuildError { code message }
        ... on TransactionPlan {
          transactions { base64 }
          preview {
            tokens ${CHANGE} healthFactor ${CHANGE} utilization ${CHANGE}
            ${QUEUE_FIGURES} warnings { code level message }
          }
          simulation { success logs error { code name } }
        }
      } }`,
      { variables: { input }, headers: await this.headers() },
    );
    expect(errors).toEqual([]);
    return data.plan;
  }

  /** The unsigned transaction over REST. */
  async restTransaction(kind: QueueKind, input: Readonly<Record<string, unknown>>): Promise<string> {
    const [, , path] = QUEUE_BUILDERS[kind];
    const answer = await this.#world.post<{ transaction: string }>(path, bodyOf(input), await this.headers());
    return answer.transaction;
  }

  /** Sends a build that must succeed in one transaction. @param byRest whether to build it over REST */
  async send(
    kind: QueueKind,
    input: Readonly<Record<string, unknown>>,
    plan: QueuePlan,
    signer: KeyPairSigner,
    byRest: boolean,
  ): Promise<Landed> {
    expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
    expect(plan.transactions).toHaveLength(1);
    const base64 = byRest
      ? await this.restTransaction(kind, input)
      : (plan.transactions[0]?.base64 ?? expect.fail('no transaction'));
    return await this.#world.send('RPC', base64, signer);
  }

  /** Changes a token account, as its owner or the authority of its mint could. */
  changeToken(address: Address, fields: Partial<TokenAccount>): void {
    const { chain } = this.#world.localnet;
    const account = accountIn(chain, address);
    const data = encodeTokenAccount({ ...decodeTokenAccount(account), ...fields });
    chain.world.store.commit(new Map([[address, { ...account, data }]]));
  }

  /** The accounts as they are now. */
  get accounts(): AccountReader {
    const { chain } = this.#world.localnet;
    return { get: (address) => chain.account(address) };
  }
}

/** Null when the ticket is not open. */
export function ticketIn(accounts: AccountReader, address: Address): WithdrawTicket | null {
  const account = accounts.get(address);
  return account === undefined || account.lamports === 0n ? null : withdrawTicket.decode(account, klend);
}

/** Base units of a token account; 0 when there is none. */
export function heldIn(accounts: AccountReader, address: Address): bigint {
  const account = accounts.get(address);
  if (account === undefined || account.lamports === 0n || account.data.length === 0) return 0n;
  return decodeTokenAccount(account).amount;
}

/** Base units of a figure in whole tokens. */
export function unitsOf(figure: string, decimals: number): bigint {
  const { n, d } = parseDecimal(figure)
    .mul(integer(10n ** BigInt(decimals)))
    .reduced();
  expect(d).toBe(1n);
  return n;
}

/** The program's error that the first refusal of a preview names; null when nothing is refused. */
export function refusedWith({ preview }: QueuePlan): { readonly code: number; readonly name: string } | null {
  const [first] = preview.warnings.filter(({ level }) => level === 'ERROR');
  if (first === undefined) return null;
  const [, code, name] = /The program answers (\d+) (\w+)\.$/.exec(first.message) ?? [];
  return code === undefined || name === undefined
    ? { code: -1, name: first.code }
    : { code: Number(code), name };
}
