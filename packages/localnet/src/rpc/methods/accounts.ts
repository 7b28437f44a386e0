import { CLOCK_SYSVAR, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeClock, encodeClock } from '@sluice/protocol/sysvar/clock';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../../chain.ts';
import { type AccountFilter, matches, parseFilters } from '../account-filters.ts';
import { type Call, checkMinContextSlot, type Methods, withContext } from '../call.ts';
import { type AccountView, encodeAccount, encodeKeyedAccount, parseAccountView } from '../encode-account.ts';
import type { Json } from '../json.ts';
import { addressParam, checkedAddress, configParam, integerParam, listParam, textParam } from '../params.ts';
import { invalidParams } from '../rpc-error.ts';

const MAX_ACCOUNTS = 100;

export const accountMethods: Methods = {
  getAccountInfo(call, params) {
    const text = textParam(params, 0);
    const config = configParam(params, 1);
    checkMinContextSlot(call, config);
    return withContext(call, accountOrNull(call, text, parseAccountView(config, 'binary')));
  },

  getMultipleAccounts(call, params) {
    const addresses = listParam(params, 0);
    if (addresses.length > MAX_ACCOUNTS) {
      throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    }
    const config = configParam(params, 1);
    checkMinContextSlot(call, config);
    const view = parseAccountView(config, 'base64');
    return withContext(
      call,
      addresses.map((_, index) => accountOrNull(call, textParam(addresses, index), view)),
    );
  },

  getProgramAccounts(call, params) {
    const program = addressParam(params, 0);
    const config = configParam(params, 1);
    checkMinContextSlot(call, config);
    const view = parseAccountView(config, 'binary');
    const filters = parseFilters(config);
    const found: Json[] = [];
    for (const [address, account] of candidates(call, program, filters)) {
      if (account.owner === program && matches(account.data, filters)) {
        found.push(encodeKeyedAccount(call.chain, address, account, view));
      }
    }
    return config.withContext === true ? withContext(call, found) : found;
  },

  getBalance(call, params) {
    const address = addressParam(params, 0);
    checkMinContextSlot(call, configParam(params, 1));
    return withContext(call, call.chain.account(address)?.lamports ?? 0n);
  },

  getMinimumBalanceForRentExemption(_call, params) {
    return rentExemptLamports(integerParam(params, 0));
  },
};

/** A node that answers as of another slot has the clock of that slot. */
function asOfSlot(
  { chain, slot }: Call,
  address: string,
  account: StoredAccount | undefined,
): StoredAccount | undefined {
  if (account === undefined || address !== CLOCK_SYSVAR || slot === chain.slot) return account;
  const { epochStartTimestamp, epoch, leaderScheduleEpoch, unixTimestamp } = decodeClock(account);
  const data = encodeClock({ slot, epochStartTimestamp, epoch, leaderScheduleEpoch, unixTimestamp });
  return { ...account, data };
}

/** An address that the chain knows needs no validation; base58 would dominate the cost of a large batch. */
function accountOrNull(call: Call, text: string, view: AccountView): Json {
  const known = asOfSlot(call, text, call.chain.account(text as Address));
  if (known !== undefined) return encodeAccount(call.chain, known, view, call.encodings);
  checkedAddress(text);
  return null;
}

/** All accounts of the program, or fewer when the token index narrows them down. */
function candidates(
  call: Call,
  program: Address,
  filters: readonly AccountFilter[],
): Iterable<readonly [Address, StoredAccount]> {
  const tokenAccounts =
    (program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM) &&
    filters.some((filter) => filter.kind === 'dataSize' && filter.size === TOKEN_ACCOUNT_BYTES);
  if (tokenAccounts) {
    for (const filter of filters) {
      const indexed = filter.kind === 'memcmp' ? call.tokens.matching(filter.offset, filter.bytes) : null;
      if (indexed !== null) return present(call, indexed);
    }
  }
  return call.chain.programAccounts(program);
}

function* present(call: Call, addresses: Iterable<Address>): Iterable<readonly [Address, StoredAccount]> {
  for (const address of addresses) {
    const account = call.chain.account(address);
    if (account !== undefined) yield [address, account];
  }
}
