/**
 * Enter goes from field to field in the order of the paper, which is the order in the document. Read-only fields take no
 * part; which others are passed over is the caller's.
 */
type Control = HTMLInputElement | HTMLTextAreaElement;

export function controlsOf(form: HTMLElement): Control[] {
  return [...form.querySelectorAll<Control>('input[name], textarea[name]')].filter(
    (control) => !control.readOnly && control.getAttribute('aria-disabled') !== 'true',
  );
}

export const controlNamed = (form: HTMLElement, name: string): Control | undefined =>
  controlsOf(form).find((control) => control.name === name);

/** Arriving in a field selects its text: typing replaces it, Enter keeps it. */
export function enter(control: Control): void {
  control.focus();
  if (control.type !== 'checkbox') control.select();
}

/** The next or previous control that `isWanted`, or undefined at either end. */
export function neighbour(
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
export function sectionNeighbour(form: HTMLElement, step: 1 | -1): Control | undefined {
  const sections = [...form.querySelectorAll<HTMLElement>('section')];
  const at = sections.findIndex((section) => section.contains(document.activeElement));
  const wanted = at === -1 ? 0 : Math.min(Math.max(at + step, 0), sections.length - 1);
  const section = sections[wanted];
  return section && controlsOf(section)[0];
}
