import { createClient, Decimal, graphql } from '@sluice/client';

const VAULTS = graphql(`
  query Vaults($first: Int!) {
    vaults(first: $first) {
      nodes { address name totalValue { usd } currentApy { total } }
    }
  }
`);

const client = createClient({ url: process.env.SLUICE_URL ?? 'http://127.0.0.1:4000' });
const { data, chain } = await client.query(VAULTS, { first: 5 });

process.stdout.write(`Vaults at slot ${chain?.slot}\n`);
for (const { name, totalValue, currentApy } of data.vaults.nodes) {
  // Null: no price is known, or the APY cannot be computed.
  const value = totalValue?.usd
    ? Decimal.of(totalValue.usd).format({ style: 'usd', compact: true })
    : 'unknown';
  const apy = currentApy ? Decimal.of(currentApy.total).format({ style: 'percent' }) : 'unknown';
  process.stdout.write(`${name}: ${value}, APY ${apy}\n`);
}
