import { expect, it } from 'vitest';
import { openMarket, REFUSED } from './open-market.ts';
import { PASSWORD } from './people.ts';

const market = openMarket();

/** What the console says of refusals, and of what finds no network. */
const OFFLINE = /status of 4\d\d|ERR_INTERNET_DISCONNECTED|WebSocket/;

it('shows what admins write to everybody, without a reload', async () => {
  const [admin, visitor] = await Promise.all([
    market.visit({ as: 'admin', allowedErrors: REFUSED }),
    market.visit({ allowedErrors: REFUSED }),
  ]);
  const { page } = visitor;
  await page.goto('/about');
  await page.getByRole('heading', { name: 'About Farmgate' }).waitFor();
  const footer = page.getByRole('navigation', { name: 'Quick links' });
  expect(await footer.getByRole('link', { name: 'Terms' }).count()).toBe(0);

  const editor = admin.page;
  await editor.goto('/admin/pages');
  await editor.getByRole('tab', { name: 'Terms (not written)' }).waitFor();
  await editor.getByLabel('Text').fill('# Be kind\n\nPay **at the gate**.');
  await editor.getByRole('heading', { name: 'Be kind' }).waitFor();
  await editor.getByRole('button', { name: 'Save', exact: true }).click();
  await editor.getByRole('tab', { name: 'Terms', exact: true }).waitFor();

  await footer.getByRole('link', { name: 'Terms' }).click();
  await page.getByRole('heading', { name: 'Terms', level: 1 }).waitFor();
  await page.getByText('at the gate').waitFor();
  // Another word of the admin comes by itself.
  await editor.getByLabel('Text').fill('# Be kind\n\nPay **by card**.');
  await editor.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('by card').waitFor();

  await page.goto('/register');
  await page.getByLabel('Name').fill('Rosa Customer');
  await page.getByLabel('Email').fill('rosa.buyer@example.org');
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  const register = page.getByRole('button', { name: 'Register', exact: true });
  await register.click();
  await page.getByText('Please agree to the terms to open an account.').first().waitFor();
  await page.getByRole('checkbox', { name: /^I agree to the terms/ }).check();
  await register.click();
  await page.waitForURL((url) => url.pathname === '/');
});

it('shows everybody an announcement until it is taken away', async () => {
  const [admin, visitor] = await Promise.all([
    market.visit({ as: 'admin', allowedErrors: REFUSED }),
    market.visit({ width: 360, height: 740 }),
  ]);
  const { page } = visitor;
  await page.goto('/products');
  const banner = page.getByRole('region', { name: 'Announcement' });
  const editor = admin.page;
  await editor.goto('/admin/pages');
  const form = editor.getByRole('form', { name: 'Announcement' });
  await form.getByLabel('What everybody is told').fill('Closed on Friday.');
  await form.getByRole('button', { name: 'Tell everybody' }).click();
  await banner.getByText('Closed on Friday.').waitFor();
  await banner.getByRole('button', { name: 'Put the announcement away' }).click();
  await banner.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await banner.count()).toBe(0);
  // Another one is news again. The form begins again with what everybody is told.
  await form.getByRole('button', { name: 'Change it' }).waitFor();
  await form.getByLabel('What everybody is told').fill('Open on Saturday.');
  await form.getByRole('button', { name: 'Change it' }).click();
  await banner.getByText('Open on Saturday.').waitFor();
  // So is the same text, announced again to anyone who put it away.
  await banner.getByRole('button', { name: 'Put the announcement away' }).click();
  await banner.waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Take it away' }).click();
  await form.getByRole('button', { name: 'Take it away' }).waitFor({ state: 'detached' });
  await form.getByLabel('What everybody is told').fill('Open on Saturday.');
  await form.getByRole('button', { name: 'Tell everybody' }).click();
  await banner.getByText('Open on Saturday.').waitFor();
  await page.reload();
  await banner.getByText('Open on Saturday.').waitFor();
  await form.getByRole('button', { name: 'Take it away' }).click();
  await banner.waitFor({ state: 'detached' });
});

it('takes an announcement off every open screen when it ends', async () => {
  const [admin, phone] = await Promise.all([
    market.visit({ as: 'admin', allowedErrors: OFFLINE }),
    market.visit({ width: 360, height: 740, allowedErrors: OFFLINE }),
  ]);
  await admin.page.goto('/admin/pages');
  await phone.page.goto('/products');
  const form = admin.page.getByRole('form', { name: 'Announcement' });
  const ends = new Date(Date.now() + 60 * 60_000);
  await form.getByLabel('What everybody is told').fill('Closed for an hour.');
  const local = new Date(ends.getTime() - ends.getTimezoneOffset() * 60_000);
  await form.getByLabel('Until').fill(local.toISOString().slice(0, 16));
  await form.getByRole('button', { name: 'Tell everybody' }).click();
  for (const { page } of [admin, phone]) {
    const putAway = page.getByRole('button', { name: 'Put the announcement away' });
    await putAway.waitFor();
    // An answer of the server would put the clock right again.
    await page.context().setOffline(true);
    await page
      .getByText(/^Offline/)
      .first()
      .waitFor({ state: 'attached' });
    await page.clock.setFixedTime(ends);
    await putAway.waitFor({ state: 'detached' });
  }
});
