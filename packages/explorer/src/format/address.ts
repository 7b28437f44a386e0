/** Four characters, an ellipsis, four characters. */
export const shortAddress = (address: string): string =>
  address.length <= 11 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
