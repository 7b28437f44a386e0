import { readdirSync, readFileSync } from 'node:fs';
import { GraphQLObjectType, getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { documentNames, documentText } from '../../src/mcp/documents.ts';
import { DocumentFields } from '../../src/mcp/schemas/selection.ts';
import { mayBeWrittenByThirdParties, TRUSTED_TEXTS } from '../../src/mcp/trusted-texts.ts';

const documents = documentNames().map((name) => [name, parse(documentText(name))] as const);

describe('the documents of the tools', () => {
  it.each(documents)('%s is valid', (_name, document) => {
    expect(validate(schema, document)).toEqual([]);
  });

  it('share the fragments that have a file of their own', () => {
    const folder = new URL('../../src/mcp/documents/fragments/', import.meta.url);
    for (const file of readdirSync(folder)) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const users = documentNames().filter((name) => documentText(name).includes(text));
      expect(users.length, file).toBeGreaterThan(1);
    }
  });

  it('build plans and rebalances, and send nothing', () => {
    const mutations = documents.flatMap(([name, document]) => {
      if (getOperationAST(document)?.operation !== 'mutation') return [];
      const fields = new DocumentFields(schema, document);
      return fields.fieldsOf([fields.root]).map((field) => `${name}: ${field.name}`);
    });
    expect(mutations).toEqual([
      'prepare: Mutation.buildPlan',
      'prepare-rebalance: Mutation.buildVaultRebalance',
    ]);
  });
});

describe('texts', () => {
  it('are trusted only where the schema has such a field', () => {
    for (const name of TRUSTED_TEXTS) {
      const [type = '', field = ''] = name.split('.');
      const object = schema.getType(type);
      expect(object instanceof GraphQLObjectType && field in object.getFields(), name).toBe(true);
    }
  });

  it('are untrusted when anyone can write them, and when the field is new', () => {
    const untrusted = [
      ...['Vault.name', 'Market.name', 'Market.description', 'Token.symbol', 'Token.name', 'Token.logoUrl'],
      ...['VaultState.name', 'ShareMetadata.name', 'ExplainedInstruction.summary', 'ExplainedAccount.name'],
      ...[
        'BuildWarning.message',
        'PlanStep.summary',
        'Simulation.logs',
        'InstructionArgument.value',
        'New.field',
      ],
    ];
    for (const name of untrusted) expect(mayBeWrittenByThirdParties(name, 'String'), name).toBe(true);
    const trusted = ['BuildWarning.code', 'VaultEdge.cursor', 'PageInfo.endCursor', '__Type.description'];
    for (const name of trusted) expect(mayBeWrittenByThirdParties(name, 'String'), name).toBe(false);
    expect(mayBeWrittenByThirdParties('Vault.address', 'Address')).toBe(false);
  });
});
