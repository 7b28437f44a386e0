import { farmVault as farmVaultOf } from '@sluice/protocol/farms/addresses';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import { ANCHOR_ERRORS, ensure } from '../anchor.ts';
import { checkHasOne, checkSeeds, loadTokenAccount } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { FARM } from './farm-errors.ts';
import type { FarmModel } from './farm-model.ts';

/** Stakes are tokens of the older token program only. */
export function loadStakeTokens(account: InstructionAccount): TokenAccount {
  const decoded = loadTokenAccount(account);
  ensure(decoded.tokenProgram === TOKEN_PROGRAM, ANCHOR_ERRORS.accountOwnedByWrongProgram);
  return decoded;
}

/** The farm's own token account must be at its address, and nobody else may move its tokens. */
export function checkStakeVault(
  { program }: Invocation,
  farm: FarmModel,
  account: InstructionAccount,
  vault: TokenAccount,
): void {
  checkSeeds(account, farmVaultOf(program, farm.address, farm.state.token.mint));
  ensure(vault.delegate === null, FARM.farmVaultHasDelegate);
  ensure(vault.closeAuthority === null, FARM.farmVaultHasCloseAuthority);
}

/** The staker's token account must be the owner's and of the staked mint. */
export function checkStakerTokens(farm: FarmModel, owner: InstructionAccount, tokens: TokenAccount): void {
  checkHasOne(tokens.owner, owner);
  ensure(tokens.mint === farm.state.token.mint, FARM.userAtaFarmTokenMintMissmatch);
}
