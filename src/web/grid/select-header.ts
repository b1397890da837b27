import type { IHeaderComp, IHeaderParams } from 'ag-grid-community';
import { paintBox } from './cells.ts';
import type { GridSelection } from './grid-types.ts';

interface SelectHeaderParams {
  selection: () => GridSelection<unknown> | undefined;
  /** Calls back after each change of the selection; gives the way to stop. */
  onChange: (repaint: () => void) => () => void;
}

/** The three-state box of the whole page. Space on its header cell is handled with the other keys. */
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
