import { useRef, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { currentUndo, notify } from '../../../kit/feedback/toast.ts';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../../kit/ui/key-table.ts';
import { nextChallan, type Remembered } from './remembered.ts';
import { isFieldName, isLookupField, copiedValues, storedValues, type FieldName } from './form-values.ts';
import type { FormModel } from './form-model.ts';

/** The messages of Clear Form (docs/specification.md §8.2.3). */
export const clearedTexts = {
  create: 'Form cleared. Ready for new challan!',
  edit: 'Form cleared successfully',
} as const;

/** The keys of the form that depend on the focused field (docs/keyboard.md §6). The help lists them too. */
export const formKeys = {
  next: { keys: 'Enter', label: 'Next field' },
  previous: { keys: 'Shift+Enter', label: 'Previous field (in Remarks: a new line)' },
  undoClear: { keys: 'Ctrl+Z', label: 'After Clear Form, in TP No: undo the clearing' },
} as const satisfies KeyTable;

const ownerFields: readonly FieldName[] = ['ownerName', 'ownerContactNumber'];

function isRemembered(name: FieldName, remembered: Remembered): boolean {
  const value = Object.entries(remembered).find(([field]) => field === name)?.[1];
  return value !== undefined && value !== null && value !== '';
}

export interface FieldKeys {
  onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void;
  goTo: (name: FieldName) => void;
  /** Focuses the TP number with its text selected, where the next challan begins (docs/specification.md §8.2.4). */
  goToFirst: () => void;
  advance: (from: FieldName) => void;
  nextError: () => void;
  goToSection: (step: 1 | -1) => void;
  copyFrom: (last: Challan | undefined) => void;
}

interface Options {
  model: FormModel;
  formRef: RefObject<HTMLFormElement | null>;
  submitRef: RefObject<HTMLButtonElement | null>;
  /** The setting "Enter skips remembered fields". */
  skipsRemembered: boolean;
  /** The fields at which Enter stops all the same. */
  stops: ReadonlySet<string>;
  /** Whether the lookup of the vehicle number is pending and may still fill in the owner. */
  isOwnerAwaited: () => boolean;
  /** After a failed submit Enter goes only through the fields with errors (docs/keyboard.md §6). */
  onlyErrors: boolean;
}

export function useFieldKeys(options: Options): FieldKeys {
  const { model, formRef, submitRef, skipsRemembered, stops, isOwnerAwaited, onlyErrors } = options;
  const { form, track, put } = model;
  /** Enter has skipped the owner while its lookup was pending. */
  const hasSkippedOwner = useRef(false);
  useKeyHelp('Challan form', formKeys);

  const isInError = (name: string): boolean => isFieldName(name) && form.getFieldState(name).error !== undefined;

  /**
   * Clear Form focuses TP No, where Ctrl+Z normally belongs to the browser. Until something is typed it undoes the clearing
   * instead.
   */
  const undoClearing = (target: Control): boolean => {
    if (track.isAnyEdited || target.name !== 'tpNo') return false;
    const last = currentUndo();
    if (last?.label !== clearedTexts[model.mode]) return false;
    last.undo();
    return true;
  };

  /** Whether Enter skips a field that a challan like the last one rarely needs: it is filled in, or optional and mostly empty. */
  const isSkipped = (name: FieldName, from: string): boolean => {
    const { remembered } = track;
    const isRepeat = Object.keys(remembered).length > 0;
    if (model.mode === 'edit' || name === 'tpNo' || stops.has(name)) return false;
    if (name === 'tdsPercentage') return form.getValues(name) !== '';
    if (name === 'unloadingDate') return remembered.tripDays !== undefined;
    if (ownerFields.includes(name)) return isOwnerAwaited() || (isLookupField(name) && track.filledIn.has(name));
    // A user who went to the last fields by hand goes through all of them.
    if (nextChallan[name] === 'optional') return isRepeat && !(isFieldName(from) && nextChallan[from] === 'optional');
    if (isRemembered(name, remembered)) return true;
    return isRepeat && nextChallan[name] === 'kept-optional' && name !== 'hsdPricePerLiter';
  };

  /** Without a pump there are no liters that the price could be of. */
  const isIdlePrice = (name: FieldName): boolean =>
    name === 'hsdPricePerLiter' && form.getValues('petrolPump') === null && !isInError(name);

  /** If the owner was skipped while its lookup was pending, and the lookup found none, Enter returns to it once. */
  const missedOwner = (root: HTMLElement): Control | undefined => {
    const isMissed = hasSkippedOwner.current && form.getValues('ownerId') === '';
    hasSkippedOwner.current = false;
    return isMissed ? controlNamed(root, 'ownerName') : undefined;
  };

  const moveFrom = (from: Control, step: 1 | -1): void => {
    const root = formRef.current;
    if (!root) return;
    const isWanted = (name: string): boolean => {
      if (onlyErrors) return isInError(name);
      if (!isFieldName(name)) return true;
      if (isIdlePrice(name)) return false;
      if (!skipsRemembered) return true;
      return !isSkipped(name, from.name) || track.isEdited(name) || isInError(name);
    };
    // Blur first, because it may fill other fields: the unloading date from the loading date, the owner from the vehicle.
    flushSync(() => from.blur());
    if (step === 1 && from.name === 'vehicleNo') hasSkippedOwner.current = isOwnerAwaited();
    const next = neighbour(root, from, step, isWanted);
    if (next) enter(next);
    else if (step === -1) enter(from);
    else (missedOwner(root) ?? submitRef.current)?.focus();
  };

  const goTo = (name: FieldName): void => {
    const root = formRef.current;
    // Without a pump the liters are disabled, so go to the missing pump instead.
    const control =
      root && (controlNamed(root, name) ?? (name === 'hsdInLiters' ? controlNamed(root, 'petrolPump') : undefined));
    if (control) enter(control);
  };

  return {
    onKeyDown: (event) => {
      const { target } = event;
      if (event.defaultPrevented || event.nativeEvent.isComposing) return;
      const isTextArea = target instanceof HTMLTextAreaElement;
      if (!isTextArea && !(target instanceof HTMLInputElement)) return;
      const move = (step: 1 | -1): boolean => {
        if (target.name === '' || (isTextArea && step === -1)) return false;
        moveFrom(target, step);
        return true;
      };
      const isUsed = dispatchKey(formKeys, event, {
        next: () => move(1),
        previous: () => move(-1),
        undoClear: () => undoClearing(target),
      });
      if (isUsed) event.preventDefault();
    },
    goTo,
    goToFirst: () => goTo('tpNo'),
    advance: (name) => {
      const control = formRef.current && controlNamed(formRef.current, name);
      if (control) moveFrom(control, 1);
    },
    nextError: () => {
      const root = formRef.current;
      if (!root) return;
      const wrong = controlsOf(root).filter((control) => isInError(control.name));
      const at = wrong.findIndex((control) => control === document.activeElement);
      const behind = wrong.find(
        (control) => at === -1 && document.activeElement && control.compareDocumentPosition(document.activeElement) & 2,
      );
      const next = at === -1 ? (behind ?? wrong[0]) : wrong[(at + 1) % wrong.length];
      if (next) enter(next);
    },
    goToSection: (step) => {
      const control = formRef.current && sectionNeighbour(formRef.current, step);
      if (control) enter(control);
    },
    copyFrom: (last) => {
      const control = document.activeElement;
      const isControl = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
      const name = isControl && formRef.current?.contains(control) ? control.name : '';
      if (!isControl || !isFieldName(name)) {
        notify.info('Go to a field first. Its value is then copied from the last challan.');
        return;
      }
      if (!last) {
        notify.info('There is no earlier challan to copy from.');
        return;
      }
      const values = { ...storedValues(last), ...copiedValues(last) };
      flushSync(() => {
        put(name, values[name]);
        if (name !== 'ownerName') return;
        put('ownerContactNumber', values.ownerContactNumber);
        put('ownerId', values.ownerId);
      });
      if (control.type !== 'checkbox') control.select();
    },
  };
}

/**
 * Enter goes from field to field in the order of the paper challan, which is the order in the document. Read-only fields are
 * skipped; the caller decides which others are.
 */
type Control = HTMLInputElement | HTMLTextAreaElement;

function controlsOf(form: HTMLElement): Control[] {
  return [...form.querySelectorAll<Control>('input[name], textarea[name]')].filter(
    (control) => !control.readOnly && control.getAttribute('aria-disabled') !== 'true',
  );
}

export const controlNamed = (form: HTMLElement, name: string): Control | undefined =>
  controlsOf(form).find((control) => control.name === name);

/** Focuses a field and selects its text, so that typing replaces it and Enter keeps it. */
export function enter(control: Control): void {
  control.focus();
  if (control.type !== 'checkbox') control.select();
}

/** The next or previous control for which `isWanted` is true; undefined at either end. */
function neighbour(
  form: HTMLElement,
  from: Element,
  step: 1 | -1,
  isWanted: (name: string) => boolean,
): Control | undefined {
  const controls = controlsOf(form);
  const position = (control: Control): number => (control.compareDocumentPosition(from) & 4 ? -1 : 1);
  const side = controls.filter((control) => control !== from && position(control) === step);
  const ordered = step === 1 ? side : side.reverse();
  return ordered.find((control) => isWanted(control.name));
}

/** The first control of the next or previous section (Alt+PgDn, Alt+PgUp). */
function sectionNeighbour(form: HTMLElement, step: 1 | -1): Control | undefined {
  const sections = [...form.querySelectorAll<HTMLElement>('section')];
  const at = sections.findIndex((section) => section.contains(document.activeElement));
  const wanted = at === -1 ? 0 : Math.min(Math.max(at + step, 0), sections.length - 1);
  const section = sections[wanted];
  return section && controlsOf(section)[0];
}
