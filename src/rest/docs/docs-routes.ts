import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { asResponse, type EncodedAnswer } from '../../http/encoded-answer.ts';
import { PACKAGE_FOLDER } from '../../node/package-files.ts';
import { documentWithAddresses, type NamedAddresses } from '../openapi/example-document.ts';
import { OPENAPI } from '../openapi/openapi-file.ts';
import type { Env } from '../operation/serve-operation.ts';
import { DOCS_FILES } from './docs-files.ts';
import { encodedOnce } from './encoded-once.ts';
import { addPublishedDocuments } from './published-documents.ts';

/** The page may load only its own scripts and styles, and connect only to this gateway. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The table of answers is wider than a phone. Its column of links is always empty. */
const NARROW_STYLE = '@media (max-width: 640px) { .swagger-ui .response-col_links { display: none } }';

/** All URLs are relative, so that the page works under a path prefix. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice: REST</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${NARROW_STYLE}</style>
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/initializer.js"></script>
</body>
</html>
`;

/**
 * Interactive documentation (Swagger UI), served from the installed package. Files are read on first use.
 *
 * @param addresses of this deployment, by the names that the examples use
 */
export function docsRoutes(addresses: () => NamedAddresses): Hono<Env> {
  const routes = new Hono<Env>();
  const page = encodedOnce('text/html; charset=utf-8', 'no-cache', async () => Buffer.from(PAGE), {
    'content-security-policy': POLICY,
  });
  routes.get('/docs', async (c) => asResponse(await (await page()).answer(c.req.raw)));
  const guide = encodedOnce('text/plain; charset=utf-8', 'no-cache', () =>
    readFile(new URL('llms.txt', PACKAGE_FOLDER)),
  );
  routes.get('/llms.txt', async (c) => asResponse(await (await guide()).answer(c.req.raw)));
  const document = documentFor(addresses);
  routes.get('/docs/openapi.json', async (c) => asResponse(await (await document()).answer(c.req.raw)));
  addPublishedDocuments(routes);
  routes.get('/docs/', (c) => c.redirect('../docs'));
  for (const { name, contentType, content } of DOCS_FILES) {
    const file = encodedOnce(contentType, 'public, max-age=86400', content);
    routes.get(`/docs/${name}`, async (c) => asResponse(await (await file()).answer(c.req.raw)));
  }
  return routes;
}

/** The document with examples of this deployment, made again when its addresses change. */
function documentFor(addresses: () => NamedAddresses): () => Promise<EncodedAnswer> {
  let made: { readonly key: string; readonly encoded: () => Promise<EncodedAnswer> } | undefined;
  return () => {
    const known = addresses();
    const key = JSON.stringify(known);
    if (made?.key !== key) {
      const content = async () => Buffer.from(documentWithAddresses(await readFile(OPENAPI, 'utf8'), known));
      made = { key, encoded: encodedOnce('application/json', 'no-cache', content) };
    }
    return made.encoded();
  };
}
