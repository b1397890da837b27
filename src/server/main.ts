import { startSmall } from './heap.ts';

// The flags of V8 must be set before any other module is loaded.
startSmall();
await import('./serve.ts');
