import type { KeyboardEvent, RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Challan } from '../../../shared/contract/challan.ts';
import { currentUndo, notify } from '../../shell/toast.ts';
import { controlNamed, controlsOf, enter, neighbour, sectionNeighbour } from './field-walk.ts';
import { isFieldName, storedValues, type FieldName } from './form-values.ts';
import { isPassedOver } from './remembered.ts';
import type { FormModel } from './use-form-model.ts';

/** Ruling 27. */
export const clearedTexts = {
  create: 'Form cleared. Ready for new challan!',
  edit: 'Form cleared successfully',
} as const;

export interface FieldKeys {
  onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void;
  goTo: (name: FieldName) => void;
  /** Where the next challan begins (ruling 25: the TP number, its text selected). */
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
  skipsRemembered: boolean;
  /** After a submit that was refused Enter goes only through the fields in error (design, keyboard.md, Form errors). */
  onlyErrors: boolean;
}

export function useFieldKeys({ model, formRef, submitRef, skipsRemembered, onlyErrors }: Options): FieldKeys {
  const { form, track, put } = model;

  const isInError = (name: string): boolean => isFieldName(name) && form.getFieldState(name).error !== undefined;

  /** Clearing puts the focus into TP No, where Ctrl+Z is the browser's: as long as nothing is typed it is the clearing's. */
  const undoesClearing = (event: KeyboardEvent): boolean => {
    const { target } = event;
    if (event.code !== 'KeyZ' || !event.ctrlKey || event.shiftKey || event.altKey || track.isAnyEdited) return false;
    if (!(target instanceof HTMLInputElement) || target.name !== 'tpNo') return false;
    const last = currentUndo();
    if (last?.label !== clearedTexts[model.mode]) return false;
    event.preventDefault();
    last.undo();
    return true;
  };

  const walk = (from: Element, step: 1 | -1): void => {
    const root = formRef.current;
    if (!root) return;
    const isWanted = (name: string): boolean => {
      if (onlyErrors) return isInError(name);
      if (!isFieldName(name) || !skipsRemembered) return true;
      return !isPassedOver(name, track.remembered) || track.isEdited(name) || isInError(name);
    };
    const next = neighbour(root, from, step, isWanted);
    if (!next) {
      if (step === 1) submitRef.current?.focus();
      return;
    }
    // Leaving a field may fill the next one (the unloading date, from the loading date): what is selected, so that typing
    // replaces it, is what stands there afterwards.
    flushSync(() => next.focus());
    enter(next);
  };

  const goTo = (name: FieldName): void => {
    const root = formRef.current;
    // Liters without a pump cannot be typed: the pump is what is missing.
    const control =
      root && (controlNamed(root, name) ?? (name === 'hsdInLiters' ? controlNamed(root, 'petrolPump') : undefined));
    if (control) enter(control);
  };

  return {
    onKeyDown: (event) => {
      if (undoesClearing(event)) return;
      const { target } = event;
      if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const isTextArea = target instanceof HTMLTextAreaElement;
      if (!isTextArea && !(target instanceof HTMLInputElement)) return;
      if (target.name === '' || (isTextArea && event.shiftKey)) return;
      event.preventDefault();
      walk(target, event.shiftKey ? -1 : 1);
    },
    goTo,
    goToFirst: () => goTo('tpNo'),
    advance: (name) => {
      const control = formRef.current && controlNamed(formRef.current, name);
      if (control) walk(control, 1);
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
        notify.info('Go to a field first: its value is copied from the last challan.');
        return;
      }
      if (!last) {
        notify.info('There is no earlier challan to copy from.');
        return;
      }
      const values = storedValues(last);
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
