import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGenuine } from '../../docs/alerts/receiver.ts';
import { type AlertWorld, isAllDelivered, startAlertWorld } from '../support/alerts/alert-world.ts';
import { TestReceiver } from '../support/alerts/test-receiver.ts';
import { databases } from '../support/databases/test-databases.ts';

const HEALTH = `query ($address: Address!) {
  obligation(address: $address) { healthFactor market { address } borrows { reserve { address } amount { baseUnits } } }
}`;

describe.each(databases())('Alerts in $name', (kind) => {
  let world: AlertWorld;
  let receiver: TestReceiver;

  beforeAll(async () => {
    receiver = await TestReceiver.start();
    world = await startAlertWorld(kind);
  });
  afterAll(async () => {
    await world?.stop();
    await receiver?.stop();
  });

  async function health(headers: Readonly<Record<string, string>> = {}): Promise<Rational> {
    const { data, text } = await world.ask<{ obligation: { healthFactor: string } } | null>(
      HEALTH,
      { address: world.localChain.addresses.obligation },
      { ...world.owner, ...headers },
    );
    if (!data) throw new Error(text);
    return parseDecimal(data.obligation.healthFactor);
  }

  /** A condition that holds at 80 % of the price and not at 100 %. */
  async function threshold(): Promise<{ readonly below: string; readonly clearAt: string }> {
    const now = await health();
    const below = toDecimalString(now.mul(Rational.of(9n, 10n)));
    return { below, clearAt: toDecimalString(now.mul(Rational.of(95n, 100n))) };
  }

  it('are delivered signed when a price moves, with the figure of the View and a call that cures it', async () => {
    const { obligation, wallet } = world.localChain.addresses;
    const limits = await threshold();
    const { id, secret } = await world.create({
      url: receiver.url('/health'),
      label: 'my loan',
      metric: 'OBLIGATION_HEALTH',
      subject: obligation,
      ...limits,
    });
    await world.alert(id, ({ state }) => state === 'CLEAR');
    expect(receiver.at('/health')).toEqual([]);

    world.localChain.setPrice(80n);
    const [fired] = await receiver.until('/health', 1);
    if (fired === undefined) throw new Error('nothing arrived');
    const { message, headers, body } = fired;
    expect(isGenuine(secret, String(headers['sluice-signature']), body)).toBe(true);
    expect(headers['sluice-delivery']).toBe(message.id);
    expect(message).toMatchObject({
      alert: id,
      label: 'my loan',
      sequence: 1,
      event: 'FIRED',
      condition: { metric: 'OBLIGATION_HEALTH', subject: obligation, above: null, ...limits },
      threshold: limits.below,
      obligation,
      link: `https://gateway.example/#/wallet/${wallet}`,
    });
    expect(message.value).toBe(toDecimalString(await health({ 'x-view': message.view ?? '' })));

    const { cure } = message;
    if (cure === null) throw new Error('no cure');
    const built = await world.ask<{ buildLendingRepay: { __typename: string } }>(cure.query, cure.variables);
    expect(built.data.buildLendingRepay.__typename).toBe('TransactionPlan');
    const { input } = cure.variables as { input: { reserve: string; amount: { baseUnits: string } } };
    // One percent beyond the second threshold.
    const target = toDecimalString(parseDecimal(limits.clearAt).mul(Rational.of(101n, 100n)));
    const reached = await world.ask<{
      obligation: { toReach: { amount: { baseUnits: string }; healthFactor: string } };
    }>(
      `query ($address: Address!, $health: Decimal!, $reserve: Address!) { obligation(address: $address) {
         toReach(healthFactor: $health, by: REPAY, reserve: $reserve) { amount { baseUnits } healthFactor } } }`,
      { address: obligation, health: target, reserve: input.reserve },
      { ...world.owner, 'x-view': message.view ?? '' },
    );
    expect(input.amount.baseUnits).toBe(reached.data.obligation.toReach.amount.baseUnits);

    world.localChain.setPrice(100n);
    const [, cleared] = await receiver.until('/health', 2);
    expect(cleared?.message).toMatchObject({
      sequence: 2,
      event: 'CLEARED',
      threshold: limits.clearAt,
      cure: null,
    });
    const listed = await world.alert(id, isAllDelivered);
    expect(listed.deliveries).toMatchObject([
      { sequence: 2, event: 'CLEARED', status: 'DELIVERED', attempts: 1 },
      { sequence: 1, event: 'FIRED', status: 'DELIVERED', attempts: 1 },
    ]);
    expect(receiver.at('/health').length).toBe(2);
  });

  it('about a wallet tell its worst obligation, and one that already holds fires at once', async () => {
    const { wallet } = world.localChain.addresses;
    const { data } = await world.ask<{
      wallet: { obligations: { nodes: { address: string; healthFactor: string | null }[] } };
    }>('query ($a: Address!) { wallet(address: $a) { obligations { nodes { address healthFactor } } } }', {
      a: wallet,
    });
    const [worst] = data.wallet.obligations.nodes
      .filter(({ healthFactor }) => healthFactor !== null)
      .sort((a, b) => Number(a.healthFactor) - Number(b.healthFactor));
    await world.create({
      url: receiver.url('/wallet'),
      metric: 'WALLET_HEALTH',
      subject: wallet,
      below: '1000000',
    });
    const [fired] = await receiver.until('/wallet', 1);
    expect(fired?.message).toMatchObject({ event: 'FIRED', obligation: worst?.address });
  });

  it('neither fire nor clear while a price is unknown, and say so', async () => {
    const { obligation, depositReserve } = world.localChain.addresses;
    world.localChain.setPrice(100n);
    const limits = await threshold();
    const { id } = await world.create({
      url: receiver.url('/unknown'),
      metric: 'OBLIGATION_HEALTH',
      subject: obligation,
      ...limits,
    });
    await world.create({
      url: receiver.url('/price'),
      metric: 'RESERVE_PRICE_STATUS',
      subject: depositReserve,
    });
    await world.alert(id, ({ state }) => state === 'CLEAR');
    world.localChain.losePrice();
    await world.alert(id, ({ state }) => state === 'UNKNOWN');
    const [lost] = await receiver.until('/price', 1);
    expect(lost?.message).toMatchObject({ event: 'FIRED', value: '1', detail: 'There is no price' });
    expect(receiver.at('/unknown')).toEqual([]);
    world.localChain.setPrice(80n);
    const [fired] = await receiver.until('/unknown', 1);
    expect(fired?.message.event).toBe('FIRED');
    expect((await receiver.until('/price', 2))[1]?.message.event).toBe('CLEARED');
    world.localChain.losePrice();
    await world.alert(id, ({ state }) => state === 'UNKNOWN');
    world.localChain.setPrice(80n);
    await world.alert(id, ({ state }) => state === 'FIRING');
    expect(receiver.at('/unknown').length).toBe(1);
    world.localChain.setPrice(100n);
    expect((await receiver.until('/unknown', 2))[1]?.message.event).toBe('CLEARED');
  });

  it.each([
    ['VAULT_APY', 'vault', { below: '1000' }],
    ['RESERVE_UTILIZATION', 'reserve', { above: '0' }],
    ['RESERVE_DEPOSIT_REMAINING', 'reserve', { above: '0' }],
    ['RESERVE_BORROW_REMAINING', 'reserve', { above: '0' }],
    ['OBLIGATION_LTV', 'obligation', { above: '0.0001' }],
    ['OBLIGATION_LIQUIDATION_DISTANCE', 'obligation', { below: '1' }],
  ] as const)('watch %s', async (metric, subject, limits) => {
    const path = `/${metric}`;
    await world.create({
      url: receiver.url(path),
      metric,
      subject: world.localChain.addresses[subject],
      ...limits,
    });
    const [fired] = await receiver.until(path, 1);
    expect(fired?.message.event).toBe('FIRED');
    const figures: Readonly<Record<string, string>> = {
      VAULT_APY: 'vault(address: $a) { currentApy { total } }',
      RESERVE_UTILIZATION: 'reserve(address: $a) { utilization }',
      RESERVE_DEPOSIT_REMAINING: 'reserve(address: $a) { limits { depositRemaining { amount } } }',
      RESERVE_BORROW_REMAINING: 'reserve(address: $a) { limits { borrowRemaining { amount } } }',
      OBLIGATION_LTV: 'obligation(address: $a) { stats { loanToValue } }',
      OBLIGATION_LIQUIDATION_DISTANCE: 'obligation(address: $a) { bufferToLiquidation }',
    };
    const { text } = await world.ask(
      `query ($a: Address!) { ${figures[metric]} }`,
      { a: world.localChain.addresses[subject] },
      { 'x-view': fired?.message.view ?? '' },
    );
    expect(text).toContain(`"${fired?.message.value}"`);
  });
});
