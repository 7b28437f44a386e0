import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { App } from '../../../src/app/app.ts';
import { KINDS } from '../../../src/chain/view/kinds.ts';
import type { View } from '../../../src/chain/view/view.ts';

/** Everything that answers can depend on, without what differs between processes. */
function contentsOf(view: View): string {
  const { number: _, slotDurationMs, ...moment } = view.moment;
  const hash = createHash('sha256');
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  const fields = Object.entries(moment).sort(([a], [b]) => (a < b ? -1 : 1));
  hash.update(text([fields, slotDurationMs.n, slotDurationMs.d]));
  for (const kind of KINDS) {
    const byAddress = ([a]: readonly [Address, unknown], [b]: readonly [Address, unknown]) =>
      a < b ? -1 : 1;
    for (const [address, { owner, slot, data }] of [...view.all(kind)].sort(byAddress))
      hash.update(text([kind, address, owner, slot])).update(data);
    for (const [address, { code, context }] of [...view.unreadable(kind)].sort(byAddress))
      hash.update(text([kind, address, code, context]));
  }
  return hash.digest('hex');
}

/** Watches the Views of several gateways: an id has one content, and no gateway ever goes back. */
export class ViewWitness {
  readonly problems: string[] = [];
  readonly #contents = new Map<string, string>();
  readonly #newest = new Map<App, View>();

  /** Also checks the View that the gateway has. */
  watch(name: string, app: App): void {
    const see = (view: View) => this.#see(name, app, view);
    app.chain.views.onView(see);
    if (app.chain.views.newest !== undefined) see(app.chain.views.newest);
  }

  #see(name: string, app: App, view: View): void {
    const { id, slot, slotWhole } = view.moment;
    const contents = contentsOf(view);
    const known = this.#contents.get(id);
    if (known !== undefined && known !== contents)
      this.problems.push(`${name}: ${id} is another View elsewhere`);
    this.#contents.set(id, contents);
    const last = this.#newest.get(app);
    this.#newest.set(app, view);
    if (last === undefined) return;
    if (slot < last.moment.slot) this.problems.push(`${name}: ${id} goes back from slot ${last.moment.slot}`);
    if (slotWhole < last.moment.slotWhole)
      this.problems.push(`${name}: ${id} goes back from ${last.moment.slotWhole}`);
    for (const kind of ['reserve', 'vault'] as const) {
      for (const [address, held] of view.all(kind)) {
        const before = last.get(kind, address);
        const isSame = before !== undefined && Buffer.compare(before.data, held.data) === 0;
        if (before !== undefined && !isSame && held.slot < before.slot)
          this.problems.push(`${name}: ${id} has an older ${kind} ${address}`);
      }
    }
  }
}
