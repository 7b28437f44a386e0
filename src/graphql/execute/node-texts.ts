import { onView } from '../../services/per-view.ts';
import type { Session } from '../../services/records.ts';
import type { AnswerNote } from '../../telemetry/answer-note.ts';
import type { OperationPlan, SelectionPlan } from './plan.ts';

/** An object as it was written, and how many objects it counts for. Few are met twice: the pieces are joined when one is. */
export class NodeText {
  readonly nodes: number;
  #pieces: readonly string[];

  constructor(pieces: readonly string[], nodes: number) {
    this.#pieces = pieces;
    this.nodes = nodes;
  }

  get text(): string {
    if (this.#pieces.length === 1) return this.#pieces[0] ?? '';
    const text = this.#pieces.join('');
    this.#pieces = [text];
    return text;
  }
}

/** What decides whether a text may be given to others. */
export interface TextsContext {
  readonly session?: Session;
  readonly baseUrl?: string;
  readonly note?: AnswerNote;
}

type Texts = Map<object, NodeText>;

/**
 * The objects with a global identifier that a run has written, by what is selected of them. What was made of the View
 * alone, with no variable in it, is the same for all who ask by the same plan while the View lasts, and kept for them.
 */
export class NodeTexts {
  readonly #plan: OperationPlan;
  readonly #context: TextsContext;
  readonly #own = new Map<SelectionPlan, Texts>();
  readonly #kept: ViewTexts | null;

  constructor(plan: OperationPlan, context: TextsContext) {
    this.#plan = plan;
    this.#context = context;
    const { session, note } = context;
    this.#kept = session === undefined || note === undefined ? null : keptFor(session, plan);
  }

  find(selection: SelectionPlan, value: object): NodeText | undefined {
    const own = this.#own.get(selection)?.get(value);
    if (own !== undefined || this.#kept === null || this.#context.note?.beyondView !== false) return own;
    return this.#kept.find(selection, this.#context.baseUrl)?.get(value);
  }

  keep(selection: SelectionPlan, value: object, text: NodeText): void {
    if (this.#kept !== null && this.#plan.isSettled(selection) && this.#isOfViewAlone()) {
      this.#kept.keep(selection, this.#context.baseUrl, value, text);
    }
    const known = this.#own.get(selection);
    if (known === undefined) this.#own.set(selection, new Map([[value, text]]));
    else known.set(value, text);
  }

  #isOfViewAlone(): boolean {
    const { note, session } = this.#context;
    if (note === undefined || note.beyondView || session === undefined) return false;
    const { rpcRequests, accountsRead } = session.report();
    return rpcRequests === 0 && accountsRead === 0;
  }
}

/** Some twenty large answers. */
const MAX_CHARACTERS = 8_000_000;
/** What a text takes beside its characters. */
const OVERHEAD = 200;

interface Selected {
  /** Absolute addresses in a text begin with it. */
  readonly baseUrl: string | undefined;
  readonly texts: Texts;
}

/** The texts of a View. When there are too many, those that have not come before it ends are written each time. */
class ViewTexts {
  readonly begun = new WeakSet<OperationPlan>();
  readonly #selected = new Map<SelectionPlan, Selected>();
  #characters = 0;

  find(selection: SelectionPlan, baseUrl: string | undefined): Texts | undefined {
    const selected = this.#selected.get(selection);
    return selected?.baseUrl === baseUrl ? selected?.texts : undefined;
  }

  keep(selection: SelectionPlan, baseUrl: string | undefined, value: object, text: NodeText): void {
    this.#characters += text.text.length + OVERHEAD;
    if (this.#characters > MAX_CHARACTERS) return;
    const texts = this.find(selection, baseUrl);
    if (texts === undefined) this.#selected.set(selection, { baseUrl, texts: new Map([[value, text]]) });
    else texts.set(value, text);
  }
}

const ofViews = onView<ViewTexts>();

/** Null for a plan that has not been followed on this View before: most are followed once, and keeping costs memory. */
function keptFor({ view }: Session, plan: OperationPlan): ViewTexts | null {
  let kept = ofViews.get(view);
  if (kept === undefined) {
    kept = new ViewTexts();
    ofViews.set(view, kept);
  }
  if (kept.begun.has(plan)) return kept;
  kept.begun.add(plan);
  return null;
}
