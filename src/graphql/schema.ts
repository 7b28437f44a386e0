import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './types/amounts.ts';
import './types/build.ts';
import './types/chain-status.ts';
import './types/farm.ts';
import './types/lookup-table.ts';
import './types/market.ts';
import './types/obligation.ts';
import './types/obligation-list.ts';
import './types/reserve.ts';
import './types/rewards.ts';
import './types/token.ts';
import './types/vault.ts';
import './types/wallet.ts';

/** The whole graph. Built once per process. */
export const schema: GraphQLSchema = builder.toSchema();
