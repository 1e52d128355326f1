import { afterAll, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openSmsGateway } from '../workers/testing/sms-gateway.ts';
import { openMarket, REFUSED } from './open-market.ts';

const gateway = await openSmsGateway();
afterAll(() => gateway.close());
const market = openMarket({ env: { SMS_URL: gateway.url } });

const codeIn = (text: string | undefined) => /\d{6}/.exec(text ?? '')?.[0];

it('verifies a number on a narrow phone by the code that is texted to it, and shows it on the other device', async () => {
  const me = await market.register('farmer', 'Fiona Field');
  const { page } = await market.visit({ as: me, width: 320, height: 640, allowedErrors: REFUSED });
  const { page: elsewhere } = await market.visit({ as: me });
  await elsewhere.goto('/profile');
  await page.goto('/profile');
  const number = page.getByLabel('Phone number');
  await number.fill('12');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText(/^This is no phone number/).waitFor();
  await number.fill('0300 1234567');
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = page.getByRole('textbox', { name: /^Code/ });
  await code.waitFor();
  const digits = await until('the text', () => codeIn(gateway.textsTo('+923001234567')[0]));
  await page.getByRole('button', { name: 'Send another code' }).click();
  await page.getByText(/^Too many tries. Try again in /).waitFor();
  await code.fill(digits === '000000' ? '000001' : '000000');
  await page.keyboard.press('Enter');
  await page.getByText(/^This is not the code that we sent/).waitFor();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await wide()).toBeLessThanOrEqual(320);
  await code.fill(digits);
  await page.keyboard.press('Enter');
  await page.getByText(/is verified/).waitFor();
  await elsewhere.getByText(/is verified/).waitFor();
  expect(await wide()).toBeLessThanOrEqual(320);

  // What is urgent can be chosen now, on the other device too.
  const security = (on: typeof page) =>
    on.getByRole('group', { name: 'Sign-in and security' }).getByRole('checkbox', { name: 'SMS' });
  expect(await security(page).isChecked()).toBe(false);
  await security(page).click();
  await until('the choice', () => security(page).isChecked());
  await until('the choice on the other device', () => security(elsewhere).isChecked());

  // The profile has it, and another number there takes it away.
  const profile = page.getByRole('textbox', { name: 'Phone', exact: true });
  await until('the number', async () => (await profile.inputValue()) === '+923001234567');
  await profile.fill('0300 7654321');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await number.waitFor();
  await security(elsewhere).waitFor({ state: 'detached' });
});

it('reads from the right in Urdu, and takes its digits', async () => {
  const me = await market.register('consumer', 'Zainab');
  await market.call('PUT', '/users/profile', { as: me, body: { language: 'ur' } });
  const { page } = await market.visit({ as: me, width: 320, height: 640, locale: 'ur-PK' });
  await page.goto('/profile');
  await page.getByLabel('فون نمبر').fill('۰۳۰۱ ۱۲۳۴۵۶۷');
  await page.getByRole('button', { name: 'کوڈ بھیجیں' }).click();
  const digits = await until('the text', () => codeIn(gateway.textsTo('+923011234567')[0]));
  const urdu = [...digits].map((digit) => String.fromCodePoint(0x6f0 + Number(digit))).join('');
  await page.getByRole('textbox', { name: /^کوڈ/ }).fill(urdu);
  await page.keyboard.press('Enter');
  await page.getByText(/تصدیق ہو چکی ہے/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
