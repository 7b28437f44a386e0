import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

const INITIALIZER = `SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
`;

/** A file of the documentation page. */
export interface DocsFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: () => Promise<Uint8Array>;
}

const installed = (name: string, contentType: string): DocsFile => ({
  name,
  contentType,
  content: () => readFile(resolve(`swagger-ui-dist/${name}`)),
});

/** Swagger UI, read from the installed package, and the script that starts it. */
export const DOCS_FILES: readonly DocsFile[] = [
  installed('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  installed('swagger-ui.css', 'text/css; charset=utf-8'),
  installed('favicon-32x32.png', 'image/png'),
  {
    name: 'initializer.js',
    contentType: 'text/javascript; charset=utf-8',
    content: async () => Buffer.from(INITIALIZER),
  },
];
