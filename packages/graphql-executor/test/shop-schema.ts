import { buildSchema, type GraphQLSchema, isAbstractType } from 'graphql';

const TYPES = `
  interface Node { id: ID! }
  type Shop implements Node { id: ID!, name: String!, owner: Person, products(first: Int = 2, minCents: Int): [Product!]! }
  type Person implements Node { id: ID!, name: String!, age: Int! }
  type Product implements Node { id: ID!, title: String!, cents: Int!, tags: [String], maker: Maker, broken: Int, late: Int! }
  type Company { name: String! }
  union Maker = Person | Company
  type Query { node(id: ID!): Node, shops: [Shop!]!, fails: String, alsoFails: String! }
  type Mutation { add(cents: Int!): Int! }
`;

const person = (id: number) => ({ __typename: 'Person', id: `p${id}`, name: `Person ${id}`, age: 30 + id });

function product(id: number) {
  return {
    __typename: 'Product',
    id: `x${id}`,
    title: `A "product" ${id}`,
    cents: id * 100,
    tags: id % 2 === 0 ? ['even', null] : null,
    maker: async () => (id % 3 === 0 ? person(id) : { __typename: 'Company', name: `Company ${id}` }),
    broken: () => {
      throw new Error(`Product ${id} is broken`);
    },
    late: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (id === 4) throw new Error('Product 4 is late');
      return id;
    },
  };
}

function shop(id: number, products: number) {
  const all = Array.from({ length: products }, (_, index) => product(index + 1));
  return {
    __typename: 'Shop',
    id: `s${id}`,
    name: `Shop ${id}`,
    owner: id === 2 ? null : person(id),
    products: ({ first, minCents = 0 }: { first: number; minCents?: number }) =>
      all.filter(({ cents }) => cents >= minCents).slice(0, first),
  };
}

/** A schema with lists, promises, abstract types, arguments and resolvers that throw. */
export const shopSchema: GraphQLSchema = buildSchema(TYPES);
for (const type of Object.values(shopSchema.getTypeMap()))
  if (isAbstractType(type)) type.resolveType = ({ __typename }) => __typename;

/** The root value: so many shops of so many products. */
export function shopRoot(shops: number, products: number): object {
  const all = Array.from({ length: shops }, (_, index) => shop(index + 1, products));
  let total = 0;
  return {
    shops: () => all,
    node: async ({ id }: { id: string }) => all.find((each) => each.id === id) ?? null,
    fails: async () => {
      throw new Error('It fails');
    },
    alsoFails: () => {
      throw new Error('It fails, too');
    },
    add: async ({ cents }: { cents: number }) => {
      total += cents;
      return total;
    },
  };
}
