import { migrate } from '../../src/server/db/migrate.ts';

/** A starter for migrate.test.ts to kill: tells when it begins, and waits for its end at the hands of the test. */
const [url = '', directory = ''] = process.argv.slice(2);
process.send?.('begun');
await migrate(url, directory);
