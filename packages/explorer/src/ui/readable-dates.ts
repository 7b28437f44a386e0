const ISO_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** A sentence of the gateway with its times in the reader’s zone. */
export const readableDates = (text: string): string =>
  text.replace(ISO_TIME, (time) =>
    new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  );
