// The first, as in the library: what a body may be is known to requests from there.
import 'undici/lib/web/fetch/response.js';
import { FormData } from 'undici/lib/web/fetch/formdata.js';
import { Headers } from 'undici/lib/web/fetch/headers.js';
import { Request } from 'undici/lib/web/fetch/request.js';
import { Response } from 'undici/lib/web/fetch/response.js';

/**
 * Makes the platform's classes for requests and answers those of the library that node has them from. When one of them is
 * first touched, node compiles all of that library, its HTTP client and its sockets included, which is a twentieth of a
 * start. These are the few modules that servers need, compiled ahead with all else. For whoever imports this, once.
 */
for (const [name, value] of Object.entries({ FormData, Headers, Request, Response })) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
