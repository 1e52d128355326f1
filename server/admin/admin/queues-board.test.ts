import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';

const METRICS_TOKEN = 'a-token-of-these-tests-for-metrics';

const market = closeAfter(await startTestMarket({ METRICS_TOKEN }));
const reader = await market.join('farmer');

describe('the board of queues', () => {
  const page = (cookie?: string, accept = 'text/html') =>
    fetch(`${market.url}/admin/queues`, {
      redirect: 'manual',
      headers: { accept, ...(cookie ? { cookie } : {}) },
    });
  /** Asks until the queues answer in time, for which a busy machine may be too slow. */
  const answered = (ask: () => Promise<Response>) =>
    until(async () => {
      const response = await ask();
      return response.status === 503 ? undefined : response;
    });
  const open = async (as: Caller) => {
    const { status, headers } = await market.call('POST', '/admin/queues-session', { as });
    const cookie = headers.get('set-cookie') ?? '';
    return { status, cookie, pair: cookie.split(';')[0] ?? '' };
  };

  it('opens only for admins, and only in the browser that opened it', async () => {
    const admin = await market.join('admin');
    expect((await open(reader)).status).toBe(403);
    const { status, cookie, pair } = await open(admin);
    expect(status).toBe(201);
    expect(cookie).toMatch(/; Path=\/admin\/queues; .*HttpOnly; SameSite=Strict/);
    const shown = await answered(() => page(pair));
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain('Farmgate queues');
    const queues = await answered(() =>
      fetch(`${market.url}/admin/queues/api/queues`, { headers: { cookie: pair } }),
    );
    const { queues: listed } = (await queues.json()) as { queues: { name: string }[] };
    expect(listed.map(({ name }) => name).sort()).toEqual(['email', 'housekeeping', 'push', 'sms']);

    const { status: refused, headers } = await page();
    expect([refused, headers.get('location')]).toEqual([302, '/admin/dashboard']);
    expect((await page(`farmgate_queues=${admin.token}`)).status).toBe(302);
    expect((await page(undefined, 'application/json')).status).toBe(401);
    expect((await fetch(`${market.url}/admin/queues/api/queues`)).status).toBe(401);
    const token = pair.split('=')[1];
    const api = await market.call('GET', '/auth/me', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(api.status).toBe(401);
  });

  it('is named after the market, also after that has another name', async () => {
    const { pair } = await open(await market.join('admin'));
    const name = 'Tom </title><b>&';
    await changeMarket(market, { name });
    const text = await (await answered(() => page(pair))).text();
    await changeMarket(market, { name: 'Farmgate' });
    expect(text).toContain('<title>Tom &lt;/title&gt;&lt;b&gt;&amp; queues</title>');
    expect(text).toContain('Back to Tom &lt;/title&gt;&lt;b&gt;&amp;</a>');
    expect(text).not.toContain('</title><b>');
    expect(text).not.toContain('Farmgate');
  });

  it('closes with the session that opened it', async () => {
    const admin = await market.join('admin');
    const credentials = { email: admin.email, password: 'password123' };
    const { body } = await market.call('POST', '/auth/login', { body: credentials });
    const elsewhere = { ...admin, token: body.token };
    const [here, there] = [await open(admin), await open(elsewhere)];
    await market.call('POST', '/auth/logout', { as: admin });
    expect((await page(here.pair)).status).toBe(302);
    expect((await answered(() => page(there.pair))).status).toBe(200);
    const newPassword = { currentPassword: 'password123', newPassword: 'another one' };
    const again = await market.call('POST', '/auth/login', { body: credentials });
    await market.put('/auth/password', { ...admin, token: again.body.token }, newPassword);
    expect((await page(there.pair)).status).toBe(302);
  });

  it('is written to by its own page alone', async () => {
    const { pair: cookie } = await open(await market.join('admin'));
    const pause = (headers: Record<string, string>) =>
      fetch(`${market.url}/admin/queues/api/queues/housekeeping/pause`, {
        method: 'PUT',
        headers: { cookie, ...headers },
      });
    const foreign = [
      {},
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
      // Another subdomain of the same site, to which SameSite=Strict sends the cookie.
      { origin: 'https://shop.evil.test', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of foreign) expect((await pause(headers)).status).toBe(403);
    const { housekeeping } = market.platform.queues();
    expect(await housekeeping.isPaused()).toBe(false);

    const own = new URL(market.env.PUBLIC_URL).origin;
    expect((await answered(() => pause({ origin: own }))).status).toBe(200);
    expect(await housekeeping.isPaused()).toBe(true);
    await housekeeping.resume();
    const sameOrigin = { origin: 'http://192.168.1.7:3000', 'sec-fetch-site': 'same-origin' };
    expect((await answered(() => pause(sameOrigin))).status).toBe(200);
    await housekeeping.resume();
  });

  it('closes when the account is no longer an admin', async () => {
    const admin = await market.join('admin');
    const { pair } = await open(admin);
    await market.platform.db.user.update({
      where: { id: admin.id },
      data: { tokenVersion: { increment: 1 } },
    });
    expect((await page(pair)).status).toBe(302);
  });

  it('is reflected in the metrics, by queue and state', async () => {
    const text = await until(async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const metrics = await (await fetch(`${market.url}/metrics`, { headers })).text();
      return metrics.includes('farmgate_queue_jobs{') ? metrics : undefined;
    });
    expect(text).toContain('farmgate_queue_jobs{queue="email",state="failed"} 0');
    expect(text).toContain('farmgate_timers{state="overdue"} 0');
  });
});
