import type { NamedInstruction } from './named-instructions.ts';
import { type Found, nameOf, type OwnershipByAddress, ownerOf } from './signing-warning.ts';

/** Warnings about an instruction of a token program that benefits others. */
export function tokenWarnings({ name, args, role }: NamedInstruction, facts: OwnershipByAddress): Found[] {
  switch (name) {
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee': {
      const from = ownerOf(facts, role('source')) ?? role('owner');
      if (ownerOf(facts, role('destination')) === from) return [];
      const message = `Tokens of ${nameOf(facts, role('source'))} go to ${nameOf(facts, role('destination'))}, which belongs to somebody else.`;
      return [{ code: 'TOKENS_TO_OTHER', message, affects: [from] }];
    }
    case 'approve':
    case 'approveChecked': {
      if (role('delegate') === role('owner')) return [];
      const message = `${role('delegate')} may spend tokens of ${nameOf(facts, role('source'))} until that is revoked.`;
      const from = ownerOf(facts, role('source')) ?? role('owner');
      return [{ code: 'SPENDING_ALLOWED', message, affects: [from] }];
    }
    case 'setAuthority': {
      const to = args?.newAuthorityTag === 1 ? String(args.newAuthority) : null;
      if (to !== null && to === role('authority')) return [];
      const message = `An authority of ${nameOf(facts, role('account'))} is ${to === null ? 'removed' : `given to ${to}`}.`;
      const from = ownerOf(facts, role('account')) ?? role('authority');
      return [{ code: 'AUTHORITY_CHANGED', message, affects: [from] }];
    }
    case 'burn':
    case 'burnChecked': {
      const message = `Tokens of ${nameOf(facts, role('account'))} are destroyed.`;
      const from = ownerOf(facts, role('account')) ?? role('authority');
      return [{ code: 'TOKENS_BURNED', message, affects: [from] }];
    }
    case 'closeAccount': {
      // Another than the owner may have the authority to close it.
      const from = ownerOf(facts, role('account')) ?? role('owner');
      if (role('destination') === from) return [];
      const message = `The SOL of ${nameOf(facts, role('account'))}, which is closed, goes to ${role('destination')}.`;
      return [{ code: 'ACCOUNT_CLOSED_TO_OTHER', message, affects: [from] }];
    }
    default:
      return [];
  }
}
