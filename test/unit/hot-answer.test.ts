import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UNLIMITED } from '../../src/http/allowance.ts';
import { HotAnswer } from '../../src/http/answer-cache/hot-answer.ts';
import { HotAnswers } from '../../src/http/answer-cache/hot-answers.ts';
import { HotQuestions } from '../../src/http/answer-cache/hot-questions.ts';
import type { AnswerNote } from '../../src/http/answer-note.ts';
import type { Passage } from '../../src/http/pipeline.ts';
import { traceOf } from '../../src/telemetry/request-trace.ts';

const ASKED = { operation: null, cost: 1 };
const body = (size: number, ageMs: number) =>
  `{"data":{"name":"${'ab✓'.repeat(size)} \\"ageMs\\":7"},"extensions":{"chain":{"view":3,"ageMs":${ageMs}},"end":true}}`;

function hotAnswer(size: number, view = 3): HotAnswer {
  const made = { view, builtAtMs: 1_000, units: 0 };
  const answer = HotAnswer.of(Buffer.from(body(size, 55)), 'application/json', made, ASKED);
  if (answer === null) throw new Error('it tells its age');
  return answer;
}

describe('an answer that is given again', () => {
  it.each([1, 1_000, 100_000])(
    'tells the age of its View at that moment, in every coding (%i)',
    async (size) => {
      const answer = hotAnswer(size);
      await Promise.all([answer.make('gzip'), answer.make('br')]);
      for (const [now, age] of [
        [1_000, 0],
        [1_007, 7],
        [3_501_000, 3_500_000],
      ] as const) {
        const sent = (coding: 'identity' | 'gzip' | 'br') => Buffer.concat(answer.parts(coding, now) ?? []);
        expect(sent('identity').toString()).toBe(body(size, age));
        expect(gunzipSync(sent('gzip')).toString()).toBe(body(size, age));
        expect(brotliDecompressSync(sent('br')).toString()).toBe(body(size, age));
      }
    },
  );

  it('is none when it tells no age', () => {
    const made = { view: 1, builtAtMs: 0, units: 0 };
    expect(HotAnswer.of(Buffer.from('{"data":{}}'), 'application/json', made, ASKED)).toBeNull();
  });
});

describe('hot answers', () => {
  it('are those of the newest View', () => {
    const answers = new HotAnswers();
    const [old, fresh] = [hotAnswer(1, 3), hotAnswer(1, 4)];
    answers.keep('a', old);
    expect([answers.find(3, 'a'), answers.find(4, 'a')]).toEqual([old, undefined]);
    answers.keep('b', fresh);
    expect([answers.find(3, 'a'), answers.find(4, 'a'), answers.find(4, 'b')]).toEqual([
      undefined,
      undefined,
      fresh,
    ]);
    answers.keep('c', old);
    expect(answers.find(4, 'c')).toBeUndefined();
  });

  it('take no more memory than they may, compressed forms included; what was not asked for longest goes', async () => {
    const answers = new HotAnswers(20_000);
    for (let i = 0; i < 50; i += 1) {
      answers.keep(`question ${i}`, hotAnswer(500));
      answers.find(3, 'question 0');
      expect(answers.bytes).toBeLessThanOrEqual(20_000);
    }
    const first = answers.find(3, 'question 0');
    expect(first).toBeDefined();
    expect(answers.find(3, 'question 1')).toBeUndefined();
    const before = answers.bytes;
    await first?.make('gzip');
    expect(answers.bytes).not.toBe(before);
    expect(answers.bytes).toBeLessThanOrEqual(20_000);
    answers.keep('huge', hotAnswer(20_000));
    expect(answers.find(3, 'huge')).toBeUndefined();
  });
});

describe('hot answers that were asked for once', () => {
  const CAPACITY = 400_000;
  const ONE = hotAnswer(500).byteLength;

  it('are there for the second time', () => {
    const answers = new HotAnswers(CAPACITY);
    const answer = hotAnswer(500);
    answers.keep('a', answer);
    for (let i = 0; i < 5; i += 1) answers.keep(`question ${i}`, hotAnswer(500));
    expect([answers.find(3, 'a'), answers.find(3, 'a')]).toEqual([answer, answer]);
  });

  it('take a quarter of the memory, however many come', () => {
    const answers = new HotAnswers(CAPACITY);
    let most = 0;
    for (let i = 0; i < 1_000; i += 1) {
      answers.keep(`question ${i}`, hotAnswer(500));
      most = Math.max(most, answers.bytes);
    }
    expect(most).toBeLessThanOrEqual(CAPACITY / 4);
    expect(most).toBeGreaterThan(CAPACITY / 4 - 2 * (ONE + 2_100));
  });

  it('push out none that was asked for again', () => {
    const answers = new HotAnswers(CAPACITY);
    const again = Array.from({ length: 40 }, (_, i) => `again ${i}`);
    for (const question of again) {
      answers.keep(question, hotAnswer(500));
      answers.find(3, question);
    }
    for (let i = 0; i < 1_000; i += 1) answers.keep(`question ${i}`, hotAnswer(500));
    expect(again.filter((question) => answers.find(3, question) === undefined)).toEqual([]);
  });

  it('are counted with their compressed forms when they come back', async () => {
    const answers = new HotAnswers(CAPACITY);
    const answer = hotAnswer(500);
    answers.keep('a', answer);
    answers.find(3, 'a');
    await answer.make('gzip');
    const plain = hotAnswer(500).keptBytes;
    expect(answer.keptBytes).toBeGreaterThan(plain);
    // One that was pushed out and is found once more is the same to these as one that is new.
    const others = new HotAnswers(CAPACITY);
    others.keep('a', hotAnswer(500));
    others.find(3, 'a');
    const without = others.bytes;
    const again = new HotAnswers(CAPACITY);
    again.keep('a', answer);
    again.find(3, 'a');
    expect(again.bytes - without).toBe(2 * (answer.keptBytes - plain));
  });

  it('are kept with the others when they are too large for that quarter', () => {
    const answers = new HotAnswers(CAPACITY);
    const large = hotAnswer(30_000);
    expect(large.byteLength).toBeGreaterThan(CAPACITY / 4);
    answers.keep('large', large);
    expect(answers.find(3, 'large')).toBe(large);
    expect(answers.bytes).toBeLessThanOrEqual(CAPACITY);
  });
});

describe('questions that are asked at the same time', () => {
  const connection = () => ({ incoming: {} as IncomingMessage });
  const passage = (taken: number[]): Passage => ({
    method: 'POST',
    target: '/graphql',
    trace: traceOf(new Headers()),
    startedAt: 0,
    allowance: {
      ...UNLIMITED.allowanceOf(new Headers(), undefined, ''),
      spend(cost) {
        taken.push(cost);
        return null;
      },
    },
  });

  /** Asks the same so many times at once, and tells how often the answer was made and what was paid. */
  async function askAtOnce(times: number, mark: (note: AnswerNote) => void) {
    const questions = new HotQuestions();
    const taken: number[] = [];
    let made = 0;
    const operate = async (note: AnswerNote) => {
      made += 1;
      await new Promise((resolve) => setImmediate(resolve));
      mark(note);
      return new Response(body(1, 5), { headers: { 'content-type': 'application/json' } });
    };
    const ask = async () => {
      const from = connection();
      const request = new Request('http://sluice.test/graphql', { method: 'POST', body: '{}' });
      questions.ask(from.incoming, 'the same');
      questions.carryOver(request, from);
      return await (await questions.answered(request, passage(taken), operate)).text();
    };
    const texts = await Promise.all(Array.from({ length: times }, ask));
    return { made, taken, texts: new Set(texts.map((text) => text.replace(/"ageMs":\d+/, ''))).size };
  }

  it('are answered once, and each pays for it', async () => {
    const keepable = (note: AnswerNote) => {
      note.made = { view: 1, builtAtMs: 0, units: 4 };
    };
    expect(await askAtOnce(5, keepable)).toEqual({ made: 1, taken: [4, 4, 4, 4], texts: 1 });
  });

  it('are answered each for itself when the answer is not to be given again', async () => {
    const live = (note: AnswerNote) => {
      note.beyondView = true;
    };
    expect(await askAtOnce(5, live)).toEqual({ made: 5, taken: [], texts: 1 });
  });
});
