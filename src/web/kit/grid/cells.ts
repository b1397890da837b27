import type { ICellRendererComp, ICellRendererParams, IHeaderComp, IHeaderParams } from 'ag-grid-community';
import type { Status } from '../../../shared/columns/define.ts';
import { statusTones } from './column-kinds.tsx';
import type { GridSelection, SelectionState, ToggleCell } from './grid-types.ts';

/**
 * Cell renderers without React, for speed: there is one for each visible row and column, and scrolling creates new ones.
 * They get the selection through a function, so that a changed selection needs no new column definitions.
 */
function createElement(tag: string, className: string, parent?: HTMLElement): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  parent?.append(element);
  return element;
}

interface BoxLook {
  state: SelectionState;
  label: string;
  /** The text for screen readers in the mixed state. */
  text?: string | undefined;
  disabledReason?: string | undefined;
  isPending?: boolean | undefined;
  isSwitch?: boolean | undefined;
}

/**
 * Renders a checkbox or switch as plain elements. A native one would change before the change is confirmed, and would take
 * the focus from its cell.
 */
function paintBox(box: HTMLElement, look: BoxLook): void {
  box.setAttribute('role', look.isSwitch ? 'switch' : 'checkbox');
  box.classList.toggle('cd-switch', look.isSwitch === true);
  box.setAttribute('aria-checked', look.state === 'all' ? 'true' : look.state === 'some' ? 'mixed' : 'false');
  box.setAttribute('aria-label', look.text ? `${look.label}, ${look.text}` : look.label);
  box.dataset['state'] = look.state;
  box.classList.toggle('cd-box-pending', look.isPending === true);
  if (look.isPending) box.setAttribute('aria-busy', 'true');
  else box.removeAttribute('aria-busy');
  if (look.disabledReason) {
    box.setAttribute('aria-disabled', 'true');
    box.title = look.disabledReason;
  } else {
    box.removeAttribute('aria-disabled');
    box.title = '';
  }
}

abstract class BoxRenderer<Row> implements ICellRendererComp<Row> {
  private readonly gui = createElement('span', 'cd-box-cell');
  private readonly box = createElement('span', 'cd-box', this.gui);

  init(params: ICellRendererParams<Row>): void {
    this.paint(params);
  }
  getGui(): HTMLElement {
    return this.gui;
  }
  refresh(params: ICellRendererParams<Row>): boolean {
    this.paint(params);
    return true;
  }
  private paint(params: ICellRendererParams<Row>): void {
    if (params.data === undefined) return;
    const look = this.look(params, params.data);
    this.box.hidden = look === undefined;
    if (look) paintBox(this.box, look);
  }
  protected abstract look(params: ICellRendererParams<Row>, row: Row): BoxLook | undefined;
}

interface ToggleParams<Row> {
  toggle: () => ToggleCell<Row> | undefined;
}

export class ToggleRenderer<Row> extends BoxRenderer<Row> {
  protected look(params: ICellRendererParams<Row> & Partial<ToggleParams<Row>>, row: Row): BoxLook | undefined {
    const toggle = params.toggle?.();
    if (!toggle) return undefined;
    return {
      state: toggle.isOn(row) ? 'all' : 'none',
      label: toggle.label(row),
      disabledReason: toggle.disabledReason?.(row),
      isPending: toggle.isPending?.(row),
      isSwitch: toggle.isSwitch,
    };
  }
}

interface SelectParams<Row> {
  selection: () => GridSelection<Row> | undefined;
}

export class SelectRenderer<Row> extends BoxRenderer<Row> {
  protected look(params: ICellRendererParams<Row> & Partial<SelectParams<Row>>, row: Row): BoxLook | undefined {
    const selection = params.selection?.();
    if (!selection) return undefined;
    return {
      state: selection.stateOf(row),
      label: selection.labelOf(row),
      text: selection.textOf?.(row),
      disabledReason: selection.disabledReason?.(row),
    };
  }
}

interface ValueParams<Row> {
  valueOf: (row: Row) => unknown;
}

abstract class ValueRenderer<Row> implements ICellRendererComp<Row> {
  protected readonly gui = createElement('span', 'cd-value');

  init(params: ICellRendererParams<Row>): void {
    this.refresh(params);
  }
  getGui(): HTMLElement {
    return this.gui;
  }
  refresh(params: ICellRendererParams<Row> & Partial<ValueParams<Row>>): boolean {
    this.gui.replaceChildren();
    if (params.data !== undefined) this.paint(params.valueOf?.(params.data));
    return true;
  }
  protected abstract paint(value: unknown): void;
}

/** A sum in the totals row. If it does not fit, it ends in an ellipsis and never loses its first digits. */
export class FigureRenderer<Row> implements ICellRendererComp<Row> {
  private readonly gui = createElement('span', 'cd-figure');

  init(params: ICellRendererParams<Row>): void {
    this.refresh(params);
  }
  getGui(): HTMLElement {
    return this.gui;
  }
  refresh(params: ICellRendererParams<Row>): boolean {
    this.gui.textContent = String(params.value ?? '');
    return true;
  }
}

/** A tag: its name with a dot in its colour. The name carries the meaning, not the colour. */
export class TagRenderer<Row> extends ValueRenderer<Row> {
  protected paint(value: unknown): void {
    // Safe: this renderer is only given columns of kind 'tag'.
    const tag = value as { name: string; color: string } | null;
    if (!tag) return;
    const dot = createElement('span', 'cd-dot', this.gui);
    dot.style.backgroundColor = tag.color;
    dot.ariaHidden = 'true';
    const name = createElement('span', 'cd-clip', this.gui);
    name.textContent = tag.name;
  }
}

export class StatusRenderer<Row> extends ValueRenderer<Row> {
  protected paint(value: unknown): void {
    // Safe: this renderer is only given columns of kind 'status'.
    const status = value as Status | null;
    if (!status) return;
    const chip = createElement('span', `cd-chip cd-clip ${statusTones[status.tone]}`, this.gui);
    chip.textContent = status.label;
  }
}

interface SelectHeaderParams {
  selection: () => GridSelection<unknown> | undefined;
  /** Subscribes to changes of the selection and returns the unsubscribe function. */
  onChange: (repaint: () => void) => () => void;
}

/** The three-state checkbox for the whole page. Space on its header cell is handled in grid-keys.ts. */
export class SelectHeader implements IHeaderComp {
  private readonly gui = document.createElement('span');
  private readonly box = document.createElement('span');
  private stop: (() => void) | undefined;
  private params: (IHeaderParams & Partial<SelectHeaderParams>) | undefined;

  init(params: IHeaderParams & Partial<SelectHeaderParams>): void {
    this.params = params;
    this.gui.className = 'cd-box-cell';
    this.box.className = 'cd-box';
    this.gui.append(this.box);
    this.gui.addEventListener('click', () => {
      const header = this.params?.selection?.()?.header;
      header?.onToggle(header.state !== 'all');
    });
    this.paint();
    this.stop = params.onChange?.(() => this.paint());
  }
  getGui(): HTMLElement {
    return this.gui;
  }
  refresh(params: IHeaderParams & Partial<SelectHeaderParams>): boolean {
    this.params = params;
    this.paint();
    return true;
  }
  destroy(): void {
    this.stop?.();
  }
  private paint(): void {
    const header = this.params?.selection?.()?.header;
    this.box.hidden = header === undefined;
    if (header) paintBox(this.box, { state: header.state, label: header.label });
  }
}
