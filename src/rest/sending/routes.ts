import { SEND_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { SendBody, SentTransaction } from './schemas.ts';

/** A memo, signed with a key that holds nothing. */
const EXAMPLE_TRANSACTION =
  'ASBAdiLAb+I0jTk1jiSsA29HtZZCDWae+tjJF00NkMwle5eVEdWgw2lRoc2qBoyHTk2LnKzohFE6DTi1Y+gedw6AAQABAupKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIsBUpTWpkpIQZNJOhxYNo4fHw1td28kruB5B+oQEEFRI3MSQ6SjNLjhzuzQ/yV2jMXnKYPTb9GwsNukSmdVdTmuQEBAAZzbHVpY2UA';
const EXAMPLE_SIGNATURE =
  'eQAW8xr8W1L2YonmKzaBeiufksFmFvu74tGy9X7DEbS9feZWNS8e8dwccMjdTYSjZqTKTicdQw6hv8AiGoQhDMf';

export const SEND_TRANSACTION = operation({
  method: 'post',
  id: 'sendTransaction',
  path: '/transactions',
  tag: 'Transactions',
  family: SEND_ERRORS,
  holds: 'never',
  graph:
    'mutation { sendTransaction(input) { ... on SentTransaction { signature status slot error { instructionIndex programAddress code name message } logs } } }',
  summary: 'Send a transaction that a wallet has signed',
  description:
    'Relays the transaction to the RPC endpoints, resends it until it is confirmed or has expired, and returns its status. The gateway never signs. The same transaction can be sent again at any time: it lands only once, and the answer gives its status. Sending is off unless the operator enables it (SEND_TRANSACTIONS); the localnet has it.',
  body: SendBody,
  response: SentTransaction,
  example: () => ({ body: { transaction: EXAMPLE_TRANSACTION } }),
  exampleAnswer: {
    signature: EXAMPLE_SIGNATURE,
    status: 'CONFIRMED',
    slot: '312000000',
    error: null,
    logs: [],
  },
  async answer({ session, platform }, { body }) {
    const { slot, ...sent } = await platform.sent.send(session, body);
    return { ...sent, slot: slot === null ? null : String(slot) };
  },
});
