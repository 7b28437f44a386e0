/** Parts of the id of a View. */
export interface ViewIdParts {
  /** Drawn at random whenever a process begins to read. */
  readonly origin: string;
  /** Increases with each View of the origin. */
  readonly number: number;
}

const VIEW_ID = /^([0-9a-f]{8})-(\d{1,15})$/;

export const viewId = ({ origin, number }: ViewIdParts): string => `${origin}-${number}`;

/** Null when the text is no id. */
export function parseViewId(id: string): ViewIdParts | null {
  const [, origin, number] = VIEW_ID.exec(id) ?? [];
  return origin === undefined ? null : { origin, number: Number(number) };
}
