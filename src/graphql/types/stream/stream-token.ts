import { SluiceError } from '../../../errors/sluice-error.ts';
import type { StreamToken } from '../../../http/allowance.ts';
import { builder } from '../../builder.ts';

const StreamTokenRef = builder.objectRef<StreamToken>('StreamToken').implement({
  description:
    'A short-lived token that opens subscriptions for an API key where no header can be sent, and nothing else.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The token. Pass it in the URL of a stream as `token`.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time after which the token opens no more streams. Open streams are not affected.',
    }),
  }),
});

builder.mutationField('createStreamToken', (t) =>
  t.field({
    type: StreamTokenRef,
    description:
      'Creates a token for streams of a browser\u2019s EventSource, which cannot send an API key. It is valid for one minute and for the origin of this request: create a new one each time a stream is reopened. A token cannot create another one. Callers without an API key do not need one.',
    resolve: (_root, _args, { allowance }) => {
      const token = allowance?.streamToken() ?? null;
      if (token !== null) return token;
      const reason = 'A stream token needs an API key: send the key with this request';
      throw new SluiceError('UNAUTHENTICATED', { reason });
    },
  }),
);
