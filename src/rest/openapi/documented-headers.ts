/** A header of an answer in the OpenAPI document. */
interface DocumentedHeader {
  readonly description: string;
  /** Whether every such answer has it. */
  readonly required: boolean;
}

const CONTEXT = {
  'X-View': {
    required: true,
    description: 'Id of the View that the answer was read from, unique across gateways.',
  },
  'X-Slot': { required: true, description: 'Slot of that View.' },
  'X-Unknown': {
    required: false,
    description:
      'Fields whose zero stands for an unknown value, separated by commas, for example `tokenPrice, sharePrice`. A nested field is named by its path, such as `refreshedStats.leverage`. In a list, at least one item has the unknown value. Absent when every value is known.',
  },
  'X-Complete': {
    required: false,
    description:
      '`false` when the answer depends on transactions of which some have not been read from the chain yet: the same request has a more complete answer later. Absent otherwise.',
  },
  'X-Localnet': {
    required: false,
    description: '`true` when the gateway serves a localnet, whose data is invented. Absent otherwise.',
  },
};

const LIMIT = {
  'RateLimit-Policy': {
    required: false,
    description: 'Rate limit, for example `"default";q=3000;w=60`: 3000 cost units per 60 s.',
  },
  RateLimit: {
    required: false,
    description: 'Remaining quota, for example `"default";r=2990;t=58`: 2990 cost units left, reset in 58 s.',
  },
};

const REFUSED = {
  ...LIMIT,
  'Retry-After': { required: true, description: 'Seconds to wait before a retry.' },
};

const LATER = { 'Retry-After': REFUSED['Retry-After'] };

const CHALLENGE = {
  'WWW-Authenticate': { required: true, description: 'Authentication scheme for API keys.' },
};

const HEADERS: Readonly<Record<string, DocumentedHeader>> = { ...CONTEXT, ...REFUSED, ...CHALLENGE };

/** The header components of the OpenAPI document. */
export const headerComponents = () =>
  Object.entries(HEADERS).map(
    ([name, { required, description }]) =>
      [name, { required, description, schema: { type: 'string' } }] as const,
  );

const references = (headers: object) =>
  Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );

/** Headers of a successful answer, as references to the components. */
export const ANSWER_HEADERS = references({ ...CONTEXT, ...LIMIT });

/** Headers of error answers by status, as references to the components. */
export const ERROR_HEADERS: Readonly<Record<string, ReturnType<typeof references>>> = {
  401: references(CHALLENGE),
  429: references(REFUSED),
  503: references(LATER),
};
