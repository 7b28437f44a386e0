import { type PrincipalToken, principalTokens } from '../../../services/tokens/principal-tokens.ts';
import { builder } from '../../builder.ts';
import { TokenRef, tokenLink } from '../../node-refs.ts';

const PrincipalTokenRef = builder.objectRef<PrincipalToken>('PrincipalToken').implement({
  description:
    'A token that pays a fixed amount of another token at maturity, from the catalogue of this deployment.',
  fields: (t) => ({
    tokenMint: t.expose('mint', { type: 'Address', description: 'Mint of the principal token.' }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The principal token. Null, with an error, when it cannot be read.',
      resolve: ({ mint }, _args, { session }) => tokenLink(session, mint),
    }),
    underlyingMint: t.expose('underlyingMint', {
      type: 'Address',
      description: 'Mint of the token that it pays.',
    }),
    underlying: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that it pays. Null, with an error, when it cannot be read.',
      resolve: ({ underlyingMint }, _args, { session }) => tokenLink(session, underlyingMint),
    }),
    maturity: t.expose('maturity', { type: 'DateTime', description: 'Time from which it pays.' }),
    redemption: t.expose('redemption', {
      type: 'Decimal',
      description: 'Whole underlying tokens that one token pays at maturity.',
    }),
    price: t.expose('price', {
      type: 'Decimal',
      nullable: true,
      description:
        'Whole underlying tokens that one token costs now: from the prices of both tokens on chain, else from the catalogue. Null when neither has one.',
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yield per year, as a fraction, of buying it now and holding it until maturity, in underlying tokens. Null after maturity, and without a price.',
    }),
  }),
});

builder.queryField('principalTokens', (t) =>
  t.field({
    type: [PrincipalTokenRef],
    description:
      'Principal tokens with a fixed yield, ordered by mint. They come from the catalogue of this deployment; empty when it lists none.',
    resolve: (_root, _args, { session }) => principalTokens(session.view),
  }),
);
