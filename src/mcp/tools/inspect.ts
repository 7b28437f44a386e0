import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { CURSOR, dataOf, READS, STATE, type Tool, tool } from '../tool.ts';
import { ADDRESS, findKind, KINDS } from './address-kind.ts';

/** One address of any kind. */
export function inspect(schema: GraphQLSchema): Tool {
  const input = z.strictObject({ ...ADDRESS, ...STATE, cursor: CURSOR });
  return tool({
    name: 'inspect',
    title: 'Inspect one address',
    description:
      'Shows one vault, reserve, market, obligation (loan), token or the portfolio of a wallet by its address: value, yield, health, limits, positions, withdraw queue.',
    annotations: READS,
    input,
    data: () =>
      dataOf(
        schema,
        KINDS.map((kind) => `inspect-${kind}`),
      ),
    async answer({ address, kind: given, view, minSlot }, caller) {
      const { kind, state } = await findKind(caller, { address, kind: given }, { view, minSlot });
      const asked = await caller.ask(`inspect-${kind}`, { address }, state);
      return { ...asked, summary: `${address} is a ${kind}.` };
    },
  });
}
