import { notify } from './toast.ts';

/** Whether the address is exactly https://wa.me, and not a host that only looks like it (docs/specification.md §9.4). */
export function isWhatsappUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return protocol === 'https:' && host === 'wa.me' && username === '' && password === '';
}

/**
 * Opens a new tab during the click itself: a tab that is opened after an answer arrives would be blocked as a pop-up
 * (docs/specification.md §9.4). `opener` is cleared, so that the page in the tab cannot access this one.
 */
export function openWhatsappTab(words: string): Window | null {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return null;
  tab.opener = null;
  tab.document.title = 'WhatsApp';
  tab.document.body.textContent = words;
  return tab;
}

/** Shows the message in the tab. If the tab was blocked or closed, it shows a link instead, which is never blocked. */
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
