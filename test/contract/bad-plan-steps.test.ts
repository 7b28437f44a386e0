import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../packages/protocol/test/support/cases.ts';
import { KTX_PLAN_OPERATIONS } from '../../src/rest/builds/plan-routes.ts';
import { KTX_ACTIONS } from '../../src/rest/builds/routes.ts';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import { errorFaults } from '../support/contract/answer-checks.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { parametersOf, ranked, WRONG, wrongJson } from '../support/contract/parameters.ts';

/** Every field of every action, wrong or missing in the second step of a plan: refused with the field and the step. */

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

/** The fields of an action, from the operation that builds it alone. */
const FIELDS = ranked(
  KTX_ACTIONS.flatMap(({ name: action, operations }) =>
    parametersOf(operations.slice(0, 1)).map((parameter) => ({ ...parameter, action })),
  ),
);

type Field = (typeof FIELDS)[number];

/** Bodies in which the field is missing or wrong, a few for each field in turn. */
function wrongBodies(field: Field): [string, object][] {
  const { operation, name, kind, required } = field;
  const valid = { ...operation.example(world.localChain.addresses).body } as Record<string, unknown>;
  const { [name]: _, ...missing } = valid;
  const wrong = sampled([...WRONG[kind], ...wrongJson(kind)], field.row, field.rows, 4).map(
    (value): [string, object] => [JSON.stringify(value).slice(0, 60), { ...valid, [name]: value }],
  );
  return required ? [['missing', missing], ...wrong] : wrong;
}

const PATHS = KTX_PLAN_OPERATIONS.map(({ path }) => path);

/** Everything that is wrong with the refusal of a plan whose second step has this body. */
async function faultsOf(path: string, { action, operation, name, kind }: Field, body: object) {
  const [first] = OPERATIONS.filter((each) => each.path === '/ktx/klend/deposit');
  const valid = first?.example(world.localChain.addresses).body;
  const answer = await world.post(path, { actions: [{ lendingDeposit: valid }, { [action]: body }] });
  if (answer.status !== 400) return [`status ${answer.status}: ${answer.text.slice(0, 100)}`];
  const { message, step } = answer.body as { readonly message: string; readonly step?: number };
  return [
    ...errorFaults('post', path, answer, true),
    ...(message.includes(name) || kind === 'amount' ? [] : [`${name} is not named: ${message}`]),
    ...(step === 1 ? [] : [`step ${step} of ${operation.path}: ${message.slice(0, 100)}`]),
  ];
}

describe('a plan', () => {
  it.each(KTX_ACTIONS)('is refused for $name with a wrong field', async ({ name: action }) => {
    const faults: Record<string, string[]> = {};
    for (const field of FIELDS.filter((each) => each.action === action)) {
      for (const [i, [label, body]] of wrongBodies(field).entries()) {
        // The first value at every path, the others at one of them in turn: they have the same body.
        for (const path of i === 0 ? PATHS : [PATHS[i % PATHS.length] ?? '']) {
          const found = await faultsOf(path, field, body);
          if (found.length > 0) faults[`${path} ${field.name} ${label}`] = found;
        }
      }
    }
    expect(faults).toEqual({});
  });
});
