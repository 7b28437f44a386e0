import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { isProtocolError } from '@sluice/protocol/protocol-error';
import { decodeMint, type Mint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount, type TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../../chain.ts';
import { type Call, checkMinContextSlot, type Methods, withContext } from '../call.ts';
import { encodeKeyedAccount, parseAccountView } from '../encode-account.ts';
import type { Json } from '../json.ts';
import { addressParam, configParam } from '../params.ts';
import { invalidParams } from '../rpc-error.ts';
import { uiTokenAmount } from '../token-amount.ts';

const LARGEST = 20;

export const tokenMethods: Methods = {
  getTokenAccountsByOwner(call, params) {
    const owner = addressParam(params, 0);
    const wanted = tokenFilter(call, configParam(params, 1));
    const config = configParam(params, 2);
    checkMinContextSlot(call, config);
    const view = parseAccountView(config, 'binary');
    const found: Json[] = [];
    for (const address of call.tokens.ofOwner(owner)) {
      const account = call.chain.account(address);
      const token = account && tokenAccountOrNull(account);
      if (account && token && token.owner === owner && wanted(token)) {
        found.push(encodeKeyedAccount(call.chain, address, account, view));
      }
    }
    return withContext(call, found);
  },

  getTokenAccountBalance(call, params) {
    const address = addressParam(params, 0);
    const account = call.chain.account(address);
    if (account === undefined) throw invalidParams('Invalid param: could not find account');
    const token = tokenAccountOrNull(account);
    if (token === null) throw invalidParams('Invalid param: not a Token account');
    return withContext(call, uiTokenAmount(token.amount, mintAt(call, token.mint).decimals));
  },

  getTokenSupply(call, params) {
    const mint = mintAt(call, addressParam(params, 0), 'could not find account');
    return withContext(call, uiTokenAmount(mint.supply, mint.decimals));
  },

  getTokenLargestAccounts(call, params) {
    const address = addressParam(params, 0);
    const { decimals } = mintAt(call, address);
    const balances: { address: Address; amount: bigint }[] = [];
    for (const holder of call.tokens.ofMint(address)) {
      const account = call.chain.account(holder);
      const token = account && tokenAccountOrNull(account);
      if (token && token.mint === address) balances.push({ address: holder, amount: token.amount });
    }
    balances.sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
    return withContext(
      call,
      balances
        .slice(0, LARGEST)
        .map((balance) => ({ address: balance.address, ...uiTokenAmount(balance.amount, decimals) })),
    );
  },
};

/** The second parameter names a mint or a token program, never both. */
function tokenFilter(
  call: Call,
  filter: Readonly<Record<string, unknown>>,
): (token: TokenAccount) => boolean {
  if (filter.mint !== undefined) {
    const mint = addressParam([filter.mint], 0);
    mintAt(call, mint);
    return (token) => token.mint === mint;
  }
  const program = addressParam([filter.programId], 0);
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) {
    throw invalidParams('Invalid param: unrecognized Token program id');
  }
  return (token) => token.tokenProgram === program;
}

function mintAt(call: Call, address: Address, missing = 'could not find mint'): Mint {
  const account = call.chain.account(address);
  if (account === undefined) throw invalidParams(`Invalid param: ${missing}`);
  const mint = decodedOrNull(() => decodeMint(account));
  if (mint === null) throw invalidParams('Invalid param: not a Token mint');
  return mint;
}

function tokenAccountOrNull(account: StoredAccount): TokenAccount | null {
  return decodedOrNull(() => decodeTokenAccount(account));
}

function decodedOrNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    if (isProtocolError(error)) return null;
    throw error;
  }
}
