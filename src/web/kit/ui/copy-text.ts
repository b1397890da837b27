/** Puts text on the clipboard. It fails where the browser refuses, and on an insecure origin, which has no clipboard. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/**
 * The same with HTML beside the text, for programs that take it. The HTML is given as a promise, since some browsers refuse
 * what is written only after something was loaded. Where there is none, the text is copied alone.
 */
export async function copyWithHtml(text: string, html: Promise<string>): Promise<void> {
  const parts = {
    'text/plain': Promise.resolve(text),
    'text/html': html,
  };
  try {
    await navigator.clipboard.write([new ClipboardItem(parts)]);
  } catch {
    await copyText(text);
  }
}

export const copyRefused = 'The browser did not allow copying';
