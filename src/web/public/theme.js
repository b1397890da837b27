// Loaded in the head before anything is drawn, so that the dark theme never flashes light. Its own file, because the
// content security policy allows no inline script.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') === 'dark' ? 'dark' : 'light';
} catch {
  document.documentElement.dataset.theme = 'light';
}

// For the style elements that AG Grid, the toaster and the dialogs make: the name is that of their library.
globalThis['__webpack_nonce__'] = document.currentScript.nonce;
// zod tries whether it may make functions of text, which the policy forbids and would report.
globalThis['__zod_globalConfig'] = { jitless: true };
