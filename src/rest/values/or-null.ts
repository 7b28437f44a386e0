import { z } from '@hono/zod-openapi';

/** Null or a named object. `.nullable()` would make the component nullable, and with it every use of the object. */
export const orNull = <S extends z.ZodObject>(schema: S, description: string) =>
  z.union([schema, z.null()]).openapi({ description });
