import { notify } from './toast.ts';

/** docs/specification.md §9.4: this very host over https, and nothing that only looks like it. */
export function isWhatsappUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return protocol === 'https:' && host === 'wa.me' && username === '' && password === '';
}

/**
 * A tab of its own, opened in the click itself, since one that is opened after an answer is taken for advertising and
 * blocked (docs/specification.md §9.4). What it will show must not reach back to this one.
 */
export function openTab(words: string): Window | null {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return null;
  tab.opener = null;
  tab.document.title = 'WhatsApp';
  tab.document.body.textContent = words;
  return tab;
}

/** Shows the message in the tab; where that was blocked, or closed meanwhile, in a link: a click on one is always allowed. */
export function showWhatsapp(tab: Window | null, href: string, { ready, sent }: { ready: string; sent: string }): void {
  if (!tab || tab.closed) {
    notify.link(`${ready}, but the browser did not open WhatsApp.`, {
      label: 'Open WhatsApp',
      href,
      onFollow: () => notify.success(sent),
    });
    return;
  }
  tab.location.replace(href);
  notify.success(sent);
}
