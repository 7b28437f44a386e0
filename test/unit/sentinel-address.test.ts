import { describe, expect, it } from 'vitest';
import { parseSentinelUrl } from '../../src/redis/sentinel-address.ts';

const NOBODY = { username: null, password: null, sentinelUsername: null, sentinelPassword: null };

describe('a URL of sentinels', () => {
  it.each([
    [
      'redis+sentinel://a.example:26379,10.0.0.2:26380/mymaster',
      {
        ...NOBODY,
        sentinels: [
          { host: 'a.example', port: 26_379 },
          { host: '10.0.0.2', port: 26_380 },
        ],
        name: 'mymaster',
        db: 0,
        isEncrypted: false,
      },
    ],
    [
      'rediss+sentinel://us%3Aer:p%40ss%2F+@[::1]:7,b/my.master-1_x/15?sentinelUsername=s&sentinelPassword=q%26=',
      {
        sentinels: [
          { host: '::1', port: 7 },
          { host: 'b', port: 26_379 },
        ],
        name: 'my.master-1_x',
        db: 15,
        username: 'us:er',
        password: 'p@ss/+',
        sentinelUsername: 's',
        sentinelPassword: 'q&=',
        isEncrypted: true,
      },
    ],
    [
      'redis+sentinel://:secret@a/m?sentinelPassword=other',
      {
        ...NOBODY,
        sentinels: [{ host: 'a', port: 26_379 }],
        name: 'm',
        db: 0,
        password: 'secret',
        sentinelPassword: 'other',
        isEncrypted: false,
      },
    ],
  ])('%s', (url, address) => expect(parseSentinelUrl(url)).toEqual(address));

  it.each([
    'redis://a/m',
    'redis+sentinel://a:26379',
    'redis+sentinel://a:26379/',
    'redis+sentinel:///m',
    'redis+sentinel://a,,b/m',
    'redis+sentinel://a,/m',
    'redis+sentinel://a:0/m',
    'redis+sentinel://a:65536/m',
    'redis+sentinel://a:x/m',
    'redis+sentinel://a b/m',
    'redis+sentinel://[zz]:1/m',
    'redis+sentinel://user@a/m',
    'redis+sentinel://user:@a/m',
    'redis+sentinel://:%zz@a/m',
    'redis+sentinel://:p@ss@a/m',
    'redis+sentinel://a/m/x',
    'redis+sentinel://a/m/1/2',
    'redis+sentinel://a/m?sentinelPassword=',
    'redis+sentinel://a/m?sentinelUsername=only',
    'redis+sentinel://a/m?password=b',
    'redis+sentinel://a/m?sentinelPassword=a&sentinelPassword=b',
    'redis+sentinel://a/m#b',
    'http+sentinel://a/m',
  ])('refuses %s', (url) => expect(parseSentinelUrl(url)).toBeNull());
});
