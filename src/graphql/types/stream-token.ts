import { SluiceError } from '../../errors/sluice-error.ts';
import type { StreamToken } from '../../http/allowance.ts';
import { builder } from '../builder.ts';

const StreamTokenRef = builder.objectRef<StreamToken>('StreamToken').implement({
  description: 'Opens streams in the name of a key, where no header can be sent.',
  fields: (t) => ({
    token: t.exposeString('token', {
      nullable: false,
      description: 'Goes into the URL of a stream as `token`.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: 'Until when it opens streams. What is open by then stays open.',
    }),
  }),
});

builder.mutationField('createStreamToken', (t) =>
  t.field({
    type: StreamTokenRef,
    nullable: false,
    description:
      'A token for the streams of a browser\u2019s EventSource, which cannot send a key: it is valid for a minute. Ask for a new one whenever the stream has to be opened again. Who has no key needs none.',
    resolve: (_root, _args, { allowance }) => {
      const token = allowance?.streamToken() ?? null;
      if (token !== null) return token;
      const reason = 'A stream token stands for a key: send the key with this request';
      throw new SluiceError('UNAUTHENTICATED', { reason });
    },
  }),
);
