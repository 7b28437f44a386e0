import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './types/amounts.ts';
import './types/build.ts';
import './types/chain-status.ts';
import './types/farm.ts';
import './types/lending-transaction.ts';
import './types/lookup-table.ts';
import './types/market.ts';
import './types/market-history.ts';
import './types/obligation.ts';
import './types/obligation-history.ts';
import './types/obligation-list.ts';
import './types/pnl.ts';
import './types/position-history.ts';
import './types/reserve.ts';
import './types/reserve-history.ts';
import './types/reward-history.ts';
import './types/rewards.ts';
import './types/token.ts';
import './types/vault.ts';
import './types/vault-history.ts';
import './types/vault-transaction.ts';
import './types/wallet.ts';
import './types/wallet-rewards.ts';

/** The whole graph. Built once per process. */
export const schema: GraphQLSchema = builder.toSchema();
