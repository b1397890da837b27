import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { inject } from 'vitest';
import type { AnswerOf, CallArguments, Endpoint } from '../../../src/shared/contract/define.ts';
import { fillPath } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { hashPassword } from '../../../src/server/features/session/passwords.service.ts';
import { chromiumLaunchOptions } from '../../../src/tasks/browser-path.ts';
import type { Stand } from '../global-setup.ts';
import { noteToasts } from './keys.ts';

export interface Business {
  id: string;
  email: string;
  password: string;
  bannerName: string;
  token: string;
}

export interface Desk {
  appUrl: string;
  /** As the owner of the schema. */
  databaseUrl: string;
  browser: Browser;
  /** A browser of its own (storage, cookies), at the app's sign-in page's origin. */
  open(options?: {
    theme?: 'light' | 'dark';
    width?: number;
    height?: number;
    /** A phone: fingers in place of a mouse. */
    isPhone?: boolean;
  }): Promise<{ context: BrowserContext; page: Page }>;
  /** A new transport business, made in the database, signed in through the API. */
  addBusiness(bannerName?: string): Promise<Business>;
  addAdmin(): Promise<{ email: string; password: string }>;
  /** One call of the API, for what a test needs to be there beforehand. */
  call<E extends Endpoint>(business: Business, endpoint: E, args: CallArguments<E>): Promise<AnswerOf<E>>;
  /** Throws where a page broke its content security policy: every walk through the app holds it. */
  close(): Promise<void>;
}

const password = 'correct horse 42';

/** Workers are numbered from one. */
function standOfWorker(): Stand {
  const stand = inject('stands')[Number(process.env.VITEST_POOL_ID) - 1];
  if (!stand) throw new Error('Each worker has a stand of its own');
  return stand;
}

export async function openDesk(): Promise<Desk> {
  const { appUrl, databaseUrl } = standOfWorker();
  const browser = await chromium.launch(chromiumLaunchOptions());
  const passwordHash = await hashPassword(password);

  const insertAccount = async (role: string, email: string, bannerName: string): Promise<string> => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO accounts (role, email, password_hash, banner_name, gst_no, contact_number, office_address)
         VALUES ($1, $2, $3, $4, '21ABCDE1234F1Z5', '9876543210', 'Station Road, Keonjhar') RETURNING id`,
        [role, email, passwordHash, bannerName],
      );
      // The insert returns the one row it made.
      return rows[0]!.id;
    } finally {
      await client.end();
    }
  };

  const send = async <E extends Endpoint>(
    endpoint: E,
    args: CallArguments<E>,
    token?: string,
  ): Promise<AnswerOf<E>> => {
    const given = args as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
    const search = new URLSearchParams(
      Object.entries({ ...given.query, ...endpoint.when }).map(([name, value]) => [name, String(value)]),
    );
    const response = await fetch(`${appUrl}/api${fillPath(endpoint.path, given.params)}?${search.toString()}`, {
      method: endpoint.method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${endpoint.method} ${endpoint.path}: ${response.status} ${text}`);
    // The server's serializer is built from the declared answer.
    return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<E>;
  };

  /** What the browser says of pages that break their policy (docs/security.md §7). */
  const broken: string[] = [];

  return {
    appUrl,
    databaseUrl,
    browser,
    open: async ({ theme = 'light', width = 1366, height = 768, isPhone = false } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        hasTouch: isPhone,
        isMobile: isPhone,
        locale: 'en-IN',
        timezoneId: 'Asia/Kolkata',
        acceptDownloads: true,
      });
      await context.addInitScript((chosen) => {
        if (localStorage.getItem('theme') === null) localStorage.setItem('theme', chosen);
      }, theme);
      await context.addInitScript(noteToasts);
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
          console.error(`Content Security Policy: ${effectiveDirective}, ${blockedURI}, ${sourceFile}`),
        );
      });
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) broken.push(`${message.page()?.url()}: ${message.text()}`);
      });
      const page = await context.newPage();
      return { context, page };
    },
    addBusiness: async (bannerName = `Transport ${randomUUID().slice(0, 8)}`) => {
      const email = `${randomUUID()}@challan.test`;
      const id = await insertAccount('subadmin', email, bannerName);
      const { token } = await send(contract.session.loginSubadmin, { body: { email, password } });
      return { id, email, password, bannerName, token };
    },
    addAdmin: async () => {
      const email = `${randomUUID()}@challan.test`;
      await insertAccount('admin', email, '');
      return { email, password };
    },
    call: (business, endpoint, args) => send(endpoint, args, business.token),
    close: async () => {
      await browser.close();
      if (broken.length > 0) throw new Error(`Pages broke their policy:\n${broken.join('\n')}`);
    },
  };
}

/** Opens the app with the session that the business has, as after a reload. The sign-in itself is not the test's subject. */
export async function signIn(page: Page, appUrl: string, { email, bannerName, token }: Business): Promise<void> {
  // A page of the app's origin on which nothing runs.
  await page.goto(`${appUrl}/favicon.svg`);
  const user = JSON.stringify({ id: email, email, bannerName, role: 'subadmin' });
  await page.evaluate((kept) => Object.assign(localStorage, kept), { token, user, role: 'subadmin' });
  await page.goto(`${appUrl}/dashboard`);
}

/** Signs in through the form, by keyboard. */
export async function signInByForm(
  page: Page,
  appUrl: string,
  business: { email: string; password: string },
): Promise<void> {
  await page.goto(`${appUrl}/login`);
  await page.getByLabel('Email').focus();
  await page.keyboard.type(business.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(business.password);
  await page.keyboard.press('Enter');
  // The address changes a moment before the screen does, and only the screen takes keys.
  await page.locator('#main').waitFor();
}
