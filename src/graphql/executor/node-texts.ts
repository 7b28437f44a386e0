import { BoundedCache } from '../../collections/bounded-cache.ts';
import type { AnswerNote } from '../../http/answer-note.ts';
import { textHash } from '../../programs/layout/text-hash.ts';
import { onView } from '../../services/per-view.ts';
import type { Session } from '../../services/records.ts';
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

/** Objects of which the same is selected. */
interface Selected {
  readonly own: Texts;
  /** Those of the View; null for a selection that is not known to come again. */
  readonly kept: Texts | null;
}

/**
 * The objects with a global identifier that a run has written, by what is selected of them. What was made of the View
 * alone, with no variable in it, is the same for all who select the same while the View lasts, whatever else their
 * documents ask for, and kept for them.
 */
export class NodeTexts {
  readonly #plan: OperationPlan;
  readonly #context: TextsContext;
  readonly #byPlan = new Map<SelectionPlan, Selected>();
  readonly #byText = new Map<string, Selected>();

  constructor(plan: OperationPlan, context: TextsContext) {
    this.#plan = plan;
    this.#context = context;
  }

  find(selection: SelectionPlan, value: object): NodeText | undefined {
    const { own, kept } = this.#selected(selection);
    const text = own.get(value);
    if (text !== undefined || kept === null || this.#context.note?.beyondView !== false) return text;
    return kept.get(value);
  }

  keep(selection: SelectionPlan, value: object, text: NodeText): void {
    const { own, kept } = this.#selected(selection);
    own.set(value, text);
    if (kept !== null && this.#isOfViewAlone()) this.#ofView()?.keep(kept, value, text);
  }

  #selected(selection: SelectionPlan): Selected {
    const known = this.#byPlan.get(selection);
    if (known !== undefined) return known;
    const text = this.#plan.sharedText(selection);
    const found = (text === null ? undefined : this.#byText.get(text)) ?? this.#fresh(text);
    this.#byPlan.set(selection, found);
    return found;
  }

  #fresh(text: string | null): Selected {
    if (text === null) return { own: new Map(), kept: null };
    const { baseUrl = '' } = this.#context;
    const kept = hasMet(text) ? (this.#ofView()?.texts(`${baseUrl}\n${text}`) ?? null) : null;
    const fresh = { own: new Map(), kept };
    this.#byText.set(text, fresh);
    return fresh;
  }

  #ofView(): ViewTexts | undefined {
    const { session, note } = this.#context;
    if (session === undefined || note === undefined) return undefined;
    const known = ofViews.get(session.view);
    if (known !== undefined) return known;
    const fresh = new ViewTexts();
    ofViews.set(session.view, fresh);
    return fresh;
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

/** The texts of a View. When there are too many, those that have not come before it ends are written each time. */
class ViewTexts {
  readonly #selected = new Map<string, Texts>();
  #characters = 0;

  /** The texts of a selection under an address, with which absolute ones in a text begin; null when there is no room. */
  texts(selection: string): Texts | null {
    const known = this.#selected.get(selection);
    if (known !== undefined) return known;
    if (!this.#takes(selection.length)) return null;
    const fresh: Texts = new Map();
    this.#selected.set(selection, fresh);
    return fresh;
  }

  keep(texts: Texts, value: object, text: NodeText): void {
    if (this.#takes(text.text.length)) texts.set(value, text);
  }

  #takes(characters: number): boolean {
    this.#characters += characters + OVERHEAD;
    return this.#characters <= MAX_CHARACTERS;
  }
}

const ofViews = onView<ViewTexts>();

/** Of selections that came once, only a number is remembered: most never come again, and keeping costs memory. */
const met = new BoundedCache<number, true>(10_000);

function hasMet(selection: string): boolean {
  const hash = textHash(selection);
  const known = met.get(hash) !== undefined;
  met.set(hash, true);
  return known;
}
