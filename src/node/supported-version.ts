/** The oldest Node that the gateway runs on; `engines` in package.json says the same. */
const OLDEST = { major: 20, minor: 19 } as const;

/** Why this version of Node cannot run the gateway, as one line; null for a supported one. */
export function unsupportedNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return null;
  return `Sluice needs Node ${OLDEST.major}.${OLDEST.minor} or newer; this is Node ${version}.`;
}
