import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from '@sluice/protocol/program-ids';
import type { NamedInstruction } from '../../builders/signing/named-instructions.ts';
import type { Session } from '../request/session.ts';
import { displayText } from '../tokens/display-text.ts';
import type { FactsByAddress } from './account-facts.ts';
import { FARMS } from './farm-sentences.ts';
import { LENDING } from './lending-sentences.ts';
import { VAULT } from './vault-sentences.ts';
import { type Sentences, Writer } from './writer.ts';

const TOKEN: Sentences = {
  transfer: (w) => `Transfer ${w.tokens('amount', 'source')} to ${w.the('destination')}`,
  transferChecked: (w) => `Transfer ${w.tokens('amount', 'mint')} to ${w.the('destination')}`,
  transferCheckedWithFee: (w) =>
    `Transfer ${w.tokens('amount', 'mint')} to ${w.the('destination')}, with a fee`,
  approve: (w) => `Allow ${w.the('delegate')} to spend ${w.tokens('amount', 'source')} of ${w.the('source')}`,
  approveChecked: (w) =>
    `Allow ${w.the('delegate')} to spend ${w.tokens('amount', 'mint')} of ${w.the('source')}`,
  revoke: (w) => `Revoke the permission to spend from ${w.the('source')}`,
  setAuthority: (w) =>
    w.arg('newAuthorityTag') === 0
      ? `Remove an authority of ${w.the('account')}`
      : `Give ${authority(w)} of ${w.the('account')} to ${w.address('newAuthority')}`,
  closeAccount: (w) => `Close ${w.the('account')} and send its SOL to ${w.the('destination')}`,
  syncNative: (w) => `Sync the balance of ${w.the('account')} with its SOL`,
  burn: (w) => `Burn ${w.tokens('amount', 'mint')} of ${w.the('account')}`,
  burnChecked: (w) => `Burn ${w.tokens('amount', 'mint')} of ${w.the('account')}`,
  mintTo: (w) => `Mint ${w.tokens('amount', 'mint')} to ${w.the('account')}`,
  mintToChecked: (w) => `Mint ${w.tokens('amount', 'mint')} to ${w.the('account')}`,
  freezeAccount: (w) => `Freeze ${w.the('account')}`,
  thawAccount: (w) => `Thaw ${w.the('account')}`,
};

const AUTHORITIES = ['the right to mint', 'the right to freeze', 'the ownership', 'the right to close'];
const authority = (w: Writer) => AUTHORITIES[Number(w.arg('authorityType'))] ?? 'an authority';

const NATIVE: Sentences = {
  createAssociatedToken: (w) => `Create ${w.the('associatedToken')}`,
  createAssociatedTokenIdempotent: (w) => `Create ${w.the('associatedToken')} unless it exists`,
  transferLamports: (w) => `Transfer ${w.sol('lamports')} to ${w.the('destination')}`,
  createAccount: (w) => `Create an account with ${w.sol('lamports')} for program ${w.address('owner')}`,
  assign: (w) => `Hand ${w.the('account')} to program ${w.address('owner')}`,
  allocate: (w) => `Give ${w.the('account')} ${w.units('space')} bytes`,
  advanceNonceAccount: () => 'Use up the durable nonce, which takes the place of a blockhash',
  setComputeUnitLimit: (w) => `Set the compute limit to ${String(w.arg('units'))} units`,
  setComputeUnitPrice: (w) =>
    `Set the priority fee to ${w.units('microLamports')} micro-lamports per compute unit`,
};

/** Describes an instruction in one sentence. @param programName null for an unknown program */
export function sentenceOf(
  session: Session,
  facts: FactsByAddress,
  instruction: NamedInstruction,
  programName: string | null,
): string {
  const { programAddress, name, data } = instruction;
  if (programName === null) return 'Calls an unknown program';
  if (programAddress === MEMO_PROGRAM || programAddress === MEMO_V1_PROGRAM) {
    return `Log the memo "${displayText(new TextDecoder().decode(data))}"`;
  }
  if (name === null) return `Calls an unknown instruction of the ${programName}`;
  const { klend, kvault, farms } = session.programs;
  const own = new Map([
    [klend, LENDING],
    [kvault, VAULT],
    [farms, FARMS],
  ]).get(programAddress);
  const sentence = (own ?? { ...TOKEN, ...NATIVE })[name.replace(/V2$/, '')];
  return sentence?.(new Writer(session, facts, instruction)) ?? `Calls ${name} of the ${programName}`;
}
