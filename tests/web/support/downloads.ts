import { onTestFinished, vi } from 'vitest';

/** Files, tabs and copied tables that the screens give to the browser. */

/** What the browser was given to save. */
export function watchDownloads(): string[] {
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.href.startsWith('blob:')) saved.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  return saved;
}

/** What was copied: the text, and the HTML beside it where there is one. */
export function watchCopies(): { text: string; html: string }[] {
  const copies: { text: string; html: string }[] = [];
  const spies = [
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copies.push({ text, html: '' })),
    vi.spyOn(navigator.clipboard, 'write').mockImplementation(async (items) => {
      const read = async (type: string) => (await (await items[0]?.getType(type))?.text()) ?? '';
      copies.push({ text: await read('text/plain'), html: await read('text/html') });
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return copies;
}

export interface OpenedTab {
  /** What it was opened on. */
  url: string;
  /** Where it was sent afterwards. */
  sentTo: string[];
  opener: unknown;
  closed: boolean;
  text: string;
}

/** The browser's tabs: each that is asked for is kept; with `isBlocked` none is given. */
export function watchTabs(isBlocked = false): OpenedTab[] {
  const tabs: OpenedTab[] = [];
  vi.spyOn(window, 'open').mockImplementation((url) => {
    if (isBlocked) return null;
    const tab: OpenedTab = { url: String(url), sentTo: [], opener: window, closed: false, text: '' };
    tabs.push(tab);
    const body = {
      set textContent(text: string) {
        tab.text = text;
      },
    };
    const handle = {
      document: { title: '', body },
      location: { replace: (to: string) => void tab.sentTo.push(to) },
      close: () => {
        tab.closed = true;
      },
      get closed() {
        return tab.closed;
      },
      set opener(value: unknown) {
        tab.opener = value;
      },
    };
    // The part of a window that the screen uses.
    return handle as unknown as Window;
  });
  return tabs;
}
