import { describe, expect, it } from 'vitest';
import { cancellationBlock, issuanceBlock, paymentBlock } from '../../src/domain/withdraw-queue.ts';
import {
  type MarketInput,
  makeMarket,
  type ReserveInput,
  usualReserve,
} from '../support/domain/domain-accounts.ts';

describe('an action on the queue', () => {
  const open: MarketInput = {
    withdrawTicketIssuanceEnabled: 1,
    withdrawTicketRedemptionEnabled: 1,
    withdrawTicketCancellationEnabled: 1,
  };
  const blocks = (market: MarketInput, config: ReserveInput['config'] = {}) => {
    const [at, reserve] = [makeMarket(market), usualReserve(0n, { config })];
    return [issuanceBlock(at, reserve), paymentBlock(at, reserve), cancellationBlock(at, reserve)];
  };

  it.each<[string, MarketInput, ReserveInput['config'], readonly (string | null)[]]>([
    ['in an open market', open, {}, [null, null, null]],
    ['in a market without queues', {}, {}, ['DISABLED', 'DISABLED', 'DISABLED']],
    ['without new tickets', { ...open, withdrawTicketIssuanceEnabled: 0 }, {}, ['DISABLED', null, null]],
    ['without payments', { ...open, withdrawTicketRedemptionEnabled: 0 }, {}, [null, 'DISABLED', null]],
    [
      'without cancellations',
      { ...open, withdrawTicketCancellationEnabled: 0 },
      {},
      [null, null, 'DISABLED'],
    ],
    ['of an obsolete reserve', open, { status: 1 }, ['RESERVE_OBSOLETE', null, null]],
    ['of a hidden reserve', open, { status: 2 }, [null, null, null]],
    [
      'of a reserve in emergency mode',
      open,
      { emergencyMode: 1 },
      ['RESERVE_EMERGENCY', 'RESERVE_EMERGENCY', 'RESERVE_EMERGENCY'],
    ],
    [
      'in a market in emergency mode',
      { ...open, emergencyMode: 1 },
      { emergencyMode: 1 },
      ['MARKET_EMERGENCY', 'MARKET_EMERGENCY', 'MARKET_EMERGENCY'],
    ],
  ])('%s', (_, market, config, expected) => {
    expect(blocks(market, config)).toEqual(expected);
  });
});
