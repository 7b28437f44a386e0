import { existsSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';

const own = (each: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(each.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );

function fieldsOf(type: GraphQLNamedType): GraphQLField<unknown, unknown>[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

describe('the graph', () => {
  it('describes every type, field, argument, input and enum value', () => {
    const undescribed: string[] = [];
    const check = (name: string, description: string | null | undefined) => {
      if (!description?.trim()) undescribed.push(name);
    };
    for (const type of own(schema)) {
      check(type.name, type.description);
      for (const field of fieldsOf(type)) {
        check(`${type.name}.${field.name}`, field.description);
        for (const arg of field.args) check(`${type.name}.${field.name}(${arg.name})`, arg.description);
      }
      if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields()))
          check(`${type.name}.${field.name}`, field.description);
      }
      if (isEnumType(type)) {
        for (const value of type.getValues()) check(`${type.name}.${value.name}`, value.description);
      }
    }
    expect(undescribed).toEqual([]);
  });

  it('has lists whose items are never null, except `nodes` by global ID', () => {
    const nullable = own(schema).flatMap((type) =>
      fieldsOf(type)
        .filter((field) => /\[\w+\]/.test(String(field.type)))
        .map((field) => `${type.name}.${field.name}: ${field.type}`),
    );
    expect(nullable).toEqual(['Query.nodes: [Node]!']);
    const edges = own(schema).filter(({ name }) => name.endsWith('Edge'));
    expect(edges.length).toBeGreaterThanOrEqual(8);
    for (const edge of edges) {
      const node = fieldsOf(edge).find(({ name }) => name === 'node');
      expect(String(node?.type)).toBe(`${edge.name.slice(0, -'Edge'.length)}!`);
    }
  });

  it('matches the committed schema.graphql', () => {
    const committed = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const shape = (each: GraphQLSchema) =>
      own(each)
        .flatMap((type) => [
          type.name,
          ...fieldsOf(type).map((field) => `${type.name}.${field.name}: ${field.type}`),
        ])
        .sort();
    expect(shape(committed)).toEqual(shape(schema));
  });
});

describe('possible-types.json', () => {
  const text = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const possible = JSON.parse(
    readFileSync(new URL('../../possible-types.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, readonly string[]>>;

  it('names the members of every union and the types of every interface', () => {
    const unions = [...text.matchAll(/^union (\w+) = (.+)$/gm)].map(([, name = '', members = '']) => [
      name,
      members.split(' | '),
    ]);
    const interfaces = [...text.matchAll(/^interface (\w+)/gm)].map(([, name = '']) => [
      name,
      [...text.matchAll(new RegExp(`^type (\\w+) implements .*\\b${name}\\b`, 'gm'))].map(([, type]) => type),
    ]);
    expect(possible).toEqual(Object.fromEntries([...unions, ...interfaces]));
    expect(Object.keys(possible)).toEqual([
      'ActivityEntry',
      'BuildError',
      'BuildResult',
      'ExplanationResult',
      'Node',
      'PreviewResult',
      'SendResult',
      'VaultPlanResult',
    ]);
  });
});

const target = new URL('../../../shared/spec/graph.graphql', import.meta.url);
const haveTarget = existsSync(target);

/** Fields that are stricter than the target: clients need no null check and no decimal library, and a View id is unique. */
const STRICTER: readonly string[] = [
  'TokenAmount.baseUnits is BigInt!, not Decimal!',
  'TokenAmount.token is Token!, not Token',
  // No price ever came from the catalogue.
  'PriceSource.CATALOGUE is missing',
  'Vault.token is Token!, not Token',
  'Vault.sharesToken is Token!, not Token',
  // It depends on recorded history, and items of lists are never null: without one a whole answer would be.
  'Market.leverage is [LeverageMetrics!], not [LeverageMetrics!]!',
  'Reserve.token is Token!, not Token',
  'Reserve.collateralToken is Token!, not Token',
  'ChainStatus.view is ID!, not Int!',
];

/** Parts of the target that this version does not have yet. */
const NOT_YET: readonly RegExp[] = [];

/** Names of the target that a later release has changed; null for a part that it has removed. */
const CHANGED: Readonly<Record<string, string | null>> = {
  ApyWindow: 'Period',
  'ApyBasis.REALISED': null,
  'ApyBreakdown.from': null,
  'ApyBreakdown.window': null,
  'LendingTransaction.usdValue': 'valueUsd',
  'ObligationStats.borrowLimit': 'borrowLimitUsd',
  'ObligationStats.borrowLiquidationLimit': 'borrowLiquidationLimitUsd',
  'ObligationStats.netAccountValue': 'netAccountValueUsd',
  'ObligationStats.userTotalBorrow': 'userTotalBorrowUsd',
  'ObligationStats.userTotalBorrowBorrowFactorAdjusted': 'userTotalBorrowBorrowFactorAdjustedUsd',
  'ObligationStats.userTotalCollateralDeposit': 'userTotalCollateralDepositUsd',
  'ObligationStats.userTotalDeposit': 'userTotalDepositUsd',
  'ObligationStats.userTotalLiquidatableDeposit': 'userTotalLiquidatableDepositUsd',
  'Preview.borrowApy': 'borrowInterestApy',
  'Preview.supplyApy': 'supplyInterestApy',
  'Token.tradingVolume24H': 'tradingVolume24HUsd',
  'Vault.apy': 'currentApy',
  'Vault.apy(window)': null,
  'VaultFilter.minApy': 'minCurrentApy',
  'VaultOrderField.APY': 'CURRENT_APY',
  'VaultTransaction.sharePrice': 'sharePriceUsd',
  'VaultTransaction.solPrice': 'solPriceUsd',
  'VaultTransaction.tokenPrice': 'tokenPriceUsd',
  'VaultTransaction.usdValue': 'valueUsd',
};

/** The current name of a part of the target. */
const nowCalled = (coordinate: string, name: string): string | null =>
  coordinate in CHANGED ? (CHANGED[coordinate] ?? null) : name;

/** The target names some types without defining them; stubs make it a valid schema. */
function readTarget(): GraphQLSchema {
  const text = readFileSync(target, 'utf8');
  const defined = new Set(
    [...text.matchAll(/^(?:type|input|enum|interface|union|scalar)\s+(\w+)/gm)].map((m) => m[1]),
  );
  const builtIn = ['Int', 'Float', 'String', 'Boolean', 'ID', 'Query', 'Mutation', 'Subscription'];
  const code = text.replace(/#.*$/gm, '').replace(/"[^"]*"/g, '');
  const used = new Set(
    [...code.matchAll(/:\s*\[?\[?(\w+)/g), ...code.matchAll(/[=|]\s*([A-Z]\w+)(?=\s*[|\n])/g)].map(
      (m) => m[1] ?? '',
    ),
  );
  const inputs = new Set([...code.matchAll(/(?:orderBy|filter|scope):\s*(\w+)/g)].map((m) => m[1]));
  const open = [...used].filter(
    (name) => /^[A-Z]/.test(name) && !defined.has(name) && !builtIn.includes(name),
  );
  const stub = (name: string) => {
    if (inputs.has(name)) return `input ${name} { open: Int }`;
    return /Status$|Kind$|Reason$/.test(name)
      ? `enum ${name} { OPEN DEFAULT }`
      : `type ${name} { open: Int }`;
  };
  const stubs = open.map(stub);
  return buildSchema(`${text}\n${stubs.join('\n')}`, { assumeValid: true, assumeValidSDL: true });
}

describe.skipIf(!haveTarget)(`the target graph${haveTarget ? '' : ' (skipped: the file is absent)'}`, () => {
  it('is implemented with the same nullability and arguments, except for planned parts', () => {
    const wanted = readTarget();
    const differences: string[] = [];
    const later = (name: string) => NOT_YET.some((pattern) => pattern.test(name));
    for (const type of own(wanted)) {
      const ours = schema.getType(nowCalled(type.name, type.name) ?? '');
      if (ours === undefined) {
        if (!later(type.name)) differences.push(`${type.name} is missing`);
        continue;
      }
      for (const field of fieldsOf(type).filter(({ name }) => name !== 'open')) {
        const name = `${type.name}.${field.name}`;
        const current = nowCalled(name, field.name);
        if (current === null) continue;
        const mine = fieldsOf(ours).find((each) => each.name === current);
        if (mine === undefined) {
          if (!later(name)) differences.push(`${name} is missing`);
          continue;
        }
        if (String(mine.type) !== String(field.type))
          differences.push(`${name} is ${mine.type}, not ${field.type}`);
        for (const arg of field.args) {
          if (nowCalled(`${name}(${arg.name})`, arg.name) === null) continue;
          const myArg = mine.args.find((each) => each.name === arg.name);
          if (myArg === undefined) differences.push(`${name}(${arg.name}) is missing`);
          else if (String(myArg.type) !== String(arg.type)) {
            differences.push(`${name}(${arg.name}) is ${myArg.type}, not ${arg.type}`);
          }
        }
      }
      if (isEnumType(type) && isEnumType(ours)) {
        const values = type
          .getValues()
          .map(({ name }) => name)
          .filter((value) => !(type.getValues().some((each) => each.name === 'OPEN') || value === 'OPEN'));
        const mine = new Set(ours.getValues().map(({ name }) => name));
        for (const value of values) {
          const current = nowCalled(`${type.name}.${value}`, value);
          if (current !== null && !mine.has(current)) differences.push(`${type.name}.${value} is missing`);
        }
      }
      if (isInputObjectType(type) && isInputObjectType(ours)) {
        const mine = ours.getFields();
        for (const field of Object.values(type.getFields())) {
          if (field.name === 'open') continue;
          const my = mine[nowCalled(`${type.name}.${field.name}`, field.name) ?? ''];
          if (my === undefined) differences.push(`${type.name}.${field.name} is missing`);
          else if (String(my.type) !== String(field.type))
            differences.push(`${type.name}.${field.name} is ${my.type}, not ${field.type}`);
        }
      }
    }
    expect(differences).toEqual(STRICTER);
  });
});
