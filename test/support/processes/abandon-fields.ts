import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  graphql,
} from 'graphql';
import { ignoreAbandonedFields } from '../../../src/app/abandoned-fields.ts';

/**
 * Executes a list with graphql-js whose first item fails later and whose last item fails at once, prints the response, and
 * then, with the argument `fault`, leaves an error of another kind unhandled.
 */
ignoreAbandonedFields();
const fail = () => {
  throw new Error('no value');
};
const Item = new GraphQLObjectType<boolean>({
  name: 'Item',
  fields: {
    slow: { type: GraphQLString, resolve: (isSlow) => (isSlow ? Promise.resolve('done') : 'done') },
    failing: { type: new GraphQLNonNull(GraphQLString), resolve: fail },
  },
});
const items = { type: new GraphQLList(new GraphQLNonNull(Item)), resolve: () => [true, false] };
const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { items } }) });
process.stdout.write(JSON.stringify(await graphql({ schema, source: '{ items { slow failing } }' })));
await new Promise((resolve) => setImmediate(resolve));
if (process.argv[2] === 'fault') void Promise.reject(new Error('a fault'));
