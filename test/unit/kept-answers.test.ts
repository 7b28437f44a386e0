import { describe, expect, it } from 'vitest';
import {
  type KeptAnswer,
  KeptAnswers,
  type View,
  ViewAnswers,
} from '../../src/http/answer-cache/view-answers.ts';
import { PackedAnswer } from '../../src/http/encoded-answer.ts';

/** Of a caller that stays. */
const staying = () => new AbortController().signal;

function answerOf(size: number): KeptAnswer {
  const bytes = Buffer.alloc(size, 'ab');
  const packed = new PackedAnswer(bytes, { contentType: 'text/plain', tagged: true, headers: {} });
  return { packed, route: '/' };
}

const keep = (answers: ViewAnswers, key: string, size: number) =>
  answers.findOrMake(key, staying(), async () => answerOf(size));

describe('kept answers', () => {
  it('belong to their View alone', async () => {
    const kept = new KeptAnswers();
    const [one, other] = [{} as View, {} as View];
    const made = await keep(kept.of(one), '/a', 10);
    expect(kept.of(one).find('/a')).toBe(made);
    expect(kept.of(other).find('/a')).toBeUndefined();
  });

  it('stay within their bytes: what was not asked for longest goes first', async () => {
    const answers = new ViewAnswers(40_000);
    await keep(answers, '/a', 10_000);
    await keep(answers, '/b', 10_000);
    await keep(answers, '/c', 10_000);
    expect(answers.find('/a')).toBeDefined();
    await keep(answers, '/d', 10_000);
    expect(['/a', '/b', '/c', '/d'].filter((key) => answers.find(key) !== undefined)).toEqual([
      '/a',
      '/c',
      '/d',
    ]);
    expect(answers.bytes).toBeGreaterThan(30_000);
    expect(answers.bytes).toBeLessThanOrEqual(40_000);
  });

  it('count their compressed forms', async () => {
    const answers = new ViewAnswers(1_000_000);
    const { packed } = await keep(answers, '/a', 100_000);
    const before = answers.bytes;
    const { body } = await packed.answer({
      method: 'GET',
      headers: new Headers({ 'accept-encoding': 'gzip' }),
    });
    expect(answers.bytes - before).toBe(body?.byteLength);
  });

  it('are not pushed out by one that is larger than all of them may be', async () => {
    const answers = new ViewAnswers(20_000);
    await keep(answers, '/a', 1_000);
    expect((await keep(answers, '/huge', 30_000)).packed.byteLength).toBe(30_000);
    expect(answers.find('/huge')).toBeUndefined();
    expect(answers.find('/a')).toBeDefined();
  });
});

describe('an answer that several ask for at once', () => {
  it('is made once', async () => {
    const answers = new ViewAnswers(100_000);
    let runs = 0;
    const make = async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return answerOf(10);
    };
    const got = await Promise.all(
      Array.from({ length: 20 }, () => answers.findOrMake('/a', staying(), make)),
    );
    expect([runs, new Set(got).size]).toEqual([1, 1]);
    await answers.findOrMake('/a', staying(), make);
    expect(runs).toBe(1);
  });

  it('is tried anew after it failed', async () => {
    const answers = new ViewAnswers(100_000);
    const failing = async (): Promise<KeptAnswer> => {
      throw new Error('no');
    };
    const both = [answers.findOrMake('/a', staying(), failing), answers.findOrMake('/a', staying(), failing)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await keep(answers, '/a', 10)).packed.byteLength).toBe(10);
  });

  it('is made although the first caller goes away, and abandoned with the last', async () => {
    const answers = new ViewAnswers(100_000);
    const [first, second] = [new AbortController(), new AbortController()];
    let finish: (answer: KeptAnswer) => void = () => undefined;
    let abandoned = false;
    const make = (signal: AbortSignal) =>
      new Promise<KeptAnswer>((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => {
          abandoned = true;
          reject(signal.reason);
        });
      });
    const one = answers.findOrMake('/a', first.signal, make);
    const two = answers.findOrMake('/a', second.signal, make);
    first.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    expect(abandoned).toBe(false);
    finish(answerOf(10));
    expect((await two).packed.byteLength).toBe(10);

    abandoned = false;
    const third = new AbortController();
    const alone = answers.findOrMake('/b', third.signal, make);
    third.abort(new Error('gone too'));
    await expect(alone).rejects.toThrow('gone too');
    expect(abandoned).toBe(true);
  });
});
