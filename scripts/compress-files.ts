import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { EXPLORER_BUILD } from '../src/app/explorer.ts';
import { graphiqlParts } from '../src/graphql/graphiql/graphiql-files.ts';
import { compressed } from '../src/http/content-coding.ts';
import { preparedName } from '../src/http/static-answer.ts';
import { DOCS_FILES } from '../src/rest/docs/docs-files.ts';
import { OPENAPI } from '../src/rest/openapi/openapi-file.ts';

const CODINGS = ['br', 'gzip'] as const;

/** Compresses every file that the gateway serves as it is: explorer, GraphiQL, Swagger UI and the OpenAPI document. */
export async function compressFiles(folder: string): Promise<void> {
  const { files } = await graphiqlParts();
  const docs = await Promise.all(DOCS_FILES.map(({ content }) => content()));
  const all = [
    ...files.map(({ bytes }) => bytes),
    ...docs,
    await readFile(OPENAPI),
    ...(await explorerFiles()),
  ];
  await mkdir(folder, { recursive: true });
  await Promise.all(
    all.flatMap((bytes) =>
      CODINGS.map(async (coding) =>
        writeFile(`${folder}/${preparedName(bytes, coding)}`, await compressed(bytes, coding, 'best')),
      ),
    ),
  );
}

async function explorerFiles(): Promise<readonly Uint8Array[]> {
  const assets = new URL('explorer/', EXPLORER_BUILD);
  const urls = (await readdir(assets)).map((name) => new URL(name, assets));
  return await Promise.all([new URL('index.html', EXPLORER_BUILD), ...urls].map((url) => readFile(url)));
}
