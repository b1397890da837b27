// Loaded in the head before the first paint, so that the dark theme never flashes light. It is a separate file, because the
// content security policy allows no inline scripts.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') === 'dark' ? 'dark' : 'light';
} catch {
  document.documentElement.dataset.theme = 'light';
}

// The nonce for style elements that AG Grid, the toaster and the dialogs create. Their libraries read it under this name.
globalThis['__webpack_nonce__'] = document.currentScript.nonce;
// Without this, zod would try to create functions from text, which the policy forbids and would report.
globalThis['__zod_globalConfig'] = { jitless: true };
