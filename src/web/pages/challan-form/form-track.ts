import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import { Unsettled } from '../../forms/unsettled.ts';
import type { FieldProblems } from './form-errors.ts';
import { storedValues, blankForm, type FieldName, type FormValues } from './form-values.ts';

/**
 * What has happened in the form since it began: no render depends on it, the resolver, the prefill and the keys do.
 */
export class FormTrack {
  stored: Challan | undefined;
  /** What the form began with: what differs from it is unsaved. */
  start: FormValues;
  /** Filled from memory (part 2 §9): Enter passes these over. */
  remembered: Partial<FormValues> = {};
  problems: FieldProblems = {};
  /** What a copied challan came with; nothing once the form has begun anew. */
  copied: Partial<FormValues> = {};
  readonly pickers = new Unsettled();
  /** One per challan entered, reused when the same one is sent again (wire.md, Idempotency-Key). */
  idempotencyKey: string = newIdempotencyKey();
  private edits = new Map<FieldName, number>();
  private clock = 0;

  constructor(stored: Challan | undefined) {
    this.stored = stored;
    this.start = stored ? storedValues(stored) : blankForm();
  }

  /** A new beginning: nothing is typed yet. */
  begin(start: FormValues, remembered: Partial<FormValues>): void {
    this.start = start;
    this.remembered = remembered;
    this.problems = {};
    this.copied = {};
    this.edits.clear();
    this.renewKey();
  }

  /** Saved as it stands: nothing differs any more. */
  settle(saved: FormValues): void {
    this.start = saved;
  }

  /** Somebody else's newer version takes the place of the one that was opened. */
  rebase(theirs: Challan): void {
    this.stored = theirs;
    this.start = storedValues(theirs);
  }

  /** The next attempt is a challan of its own, not the earlier one sent again. */
  renewKey(): void {
    this.idempotencyKey = newIdempotencyKey();
  }

  /** A restored draft too: what a person typed once is theirs. */
  markEdited(name: FieldName): void {
    this.clock += 1;
    this.edits.set(name, this.clock);
  }

  isEdited(name: FieldName): boolean {
    return this.edits.has(name);
  }

  get isAnyEdited(): boolean {
    return this.edits.size > 0;
  }

  /** A moment to ask `isEditedSince` about: an answer that comes late must not undo what was typed meanwhile. */
  now(): number {
    return this.clock;
  }

  isEditedSince(name: FieldName, moment: number): boolean {
    return (this.edits.get(name) ?? 0) > moment;
  }

  setProblem(name: FieldName, problem: string | undefined): void {
    if (problem) this.problems[name] = problem;
    else delete this.problems[name];
  }
}
