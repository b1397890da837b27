/** Puts text on the clipboard. It fails where the browser refuses, and on an insecure origin, which has no clipboard. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

export const copyRefused = 'The browser did not allow copying';
