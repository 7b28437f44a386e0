/** Whether a text can be an address: 32 bytes in base58. The gateway checks it completely. */
export const looksLikeAddress = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text);
