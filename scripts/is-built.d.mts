/** Whether `dist` is newer than every source. */
export function isBuilt(): boolean;
