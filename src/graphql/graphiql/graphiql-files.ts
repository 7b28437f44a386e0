import { createHash } from 'node:crypto';
import type { GraphiQLOptions } from 'graphql-yoga';
import type { EncodedAnswer } from '../../http/encoded-answer.ts';
import { staticAnswer } from '../../http/static-answer.ts';

/** A part of GraphiQL that is the same in every deployment. */
export interface GraphiQLFile {
  /** Contains a digest of the content, so that browsers may keep the file for ever. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** GraphiQL as a page that loads its files, which are nine megabytes. */
export interface GraphiQLParts {
  /** @param folder URL of the files, relative to the page */
  readonly page: (options: GraphiQLOptions, folder: string) => string;
  readonly files: readonly GraphiQLFile[];
}

const STYLE = /<style>([\s\S]*?)<\/style>/;
const ICON = /href="data:image\/x-icon;base64,([^"]*)"/;
const SCRIPT = /<script>([\s\S]*)(YogaGraphiQL\.renderYogaGraphiQL\([\s\S]*?)<\/script>/;
const NAME_START = 'graphiql-';
const FOR_EVER = 'public, max-age=31536000, immutable';

let loading: Promise<GraphiQLParts> | undefined;

/** Loads GraphiQL on first use: nine megabytes of source. */
export function graphiqlParts(): Promise<GraphiQLParts> {
  loading ??= load();
  return loading;
}

async function load(): Promise<GraphiQLParts> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const whole = renderGraphiQL();
  const style = file('css', 'text/css; charset=utf-8', Buffer.from(part(whole, STYLE)));
  const icon = file('ico', 'image/x-icon', Buffer.from(part(whole, ICON), 'base64'));
  const script = file('js', 'text/javascript; charset=utf-8', Buffer.from(part(whole, SCRIPT)));
  return {
    files: [style, icon, script],
    page: (options, folder) =>
      renderGraphiQL({ ...options, favicon: `${folder}${icon.name}` })
        .replace(STYLE, () => `<link rel="stylesheet" href="${folder}${style.name}" />`)
        .replace(
          SCRIPT,
          (_, _library, start: string) =>
            `<script src="${folder}${script.name}"></script><script>${start}</script>`,
        ),
  };
}

function part(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`The page of GraphiQL has no ${pattern.source}`);
  return found;
}

function file(extension: string, contentType: string, bytes: Buffer): GraphiQLFile {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { name: `${NAME_START}${digest}.${extension}`, contentType, bytes };
}

let answers: Promise<ReadonlyMap<string, EncodedAnswer>> | undefined;

/** The answer for a file; undefined if there is none of that name. */
export async function graphiqlFile(name: string): Promise<EncodedAnswer | undefined> {
  if (!name.startsWith(NAME_START)) return undefined;
  answers ??= graphiqlParts().then(
    ({ files }) =>
      new Map(
        files.map(({ name, contentType, bytes }) => [
          name,
          staticAnswer(bytes, {
            contentType,
            headers: { 'cache-control': FOR_EVER, vary: 'Accept-Encoding' },
          }),
        ]),
      ),
  );
  return (await answers).get(name);
}
