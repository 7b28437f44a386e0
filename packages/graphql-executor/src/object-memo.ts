import type { SharedObjects, SharedSelection } from './hooks.ts';
import type { OperationPlan, SelectionPlan } from './operation-plan.ts';
import type { SerializedObject } from './serialized-object.ts';

interface Selected {
  readonly own: Map<object, SerializedObject>;
  /** Null when the selection is not shared with other executions. */
  readonly shared: SharedSelection | null;
}

/** The nodes that one execution has serialized, by selection, and those that the caller shares between executions. */
export class ObjectMemo {
  readonly #plan: OperationPlan;
  readonly #shared: SharedObjects | undefined;
  readonly #byPlan = new Map<SelectionPlan, Selected>();
  readonly #byText = new Map<string, Selected>();

  constructor(plan: OperationPlan, shared: SharedObjects | undefined) {
    this.#plan = plan;
    this.#shared = shared;
  }

  find(selection: SelectionPlan, object: object): SerializedObject | undefined {
    const { own, shared } = this.#selected(selection);
    return own.get(object) ?? shared?.get(object);
  }

  add(selection: SelectionPlan, object: object, serialized: SerializedObject): void {
    const { own, shared } = this.#selected(selection);
    own.set(object, serialized);
    shared?.add(object, serialized);
  }

  #selected(selection: SelectionPlan): Selected {
    const known = this.#byPlan.get(selection);
    if (known !== undefined) return known;
    const text = this.#plan.canonicalText(selection);
    const found = (text === null ? undefined : this.#byText.get(text)) ?? this.#select(text);
    this.#byPlan.set(selection, found);
    return found;
  }

  #select(text: string | null): Selected {
    if (text === null) return { own: new Map(), shared: null };
    const selected = { own: new Map(), shared: this.#shared?.select(text) ?? null };
    this.#byText.set(text, selected);
    return selected;
  }
}
