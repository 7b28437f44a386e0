/** The modules of undici have no types of their own; what they give is what node has under the same names. */
declare module 'undici/lib/web/fetch/formdata.js' {
  export const FormData: typeof globalThis.FormData;
}
declare module 'undici/lib/web/fetch/headers.js' {
  export const Headers: typeof globalThis.Headers;
}
declare module 'undici/lib/web/fetch/request.js' {
  export const Request: typeof globalThis.Request;
}
declare module 'undici/lib/web/fetch/response.js' {
  export const Response: typeof globalThis.Response;
}
