import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closeAfter, startTestMarket } from '../../testing/market.ts';

const TOKEN = 'a token of the metrics';

const market = closeAfter(await startTestMarket({ METRICS_TOKEN: TOKEN }));

const ask = (authorization?: string, method = 'GET') =>
  fetch(`${market.url}/metrics`, { method, headers: authorization ? { authorization } : {} });

describe('/metrics', () => {
  it.each([`Bearer ${TOKEN}`, `bearer   ${TOKEN}`])('is served to %j', async (authorization) => {
    const answer = await ask(authorization);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain(
      '# TYPE farmgate_http_request_duration_seconds histogram',
    );
    expect((await ask(authorization, 'HEAD')).status).toBe(200);
  });

  it.each([
    undefined,
    TOKEN,
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer x${'x'.repeat(5000)}`,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN.toUpperCase()}`,
  ])('is refused to %j', async (authorization) => {
    const answer = await ask(authorization);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
  });

  it('is answered 404 without METRICS_TOKEN', async () => {
    const open = await startTestMarket();
    try {
      for (const authorization of ['', 'Bearer ', 'Bearer undefined', `Bearer ${TOKEN}`]) {
        const answer = await fetch(`${open.url}/metrics`, { headers: { authorization } });
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
      }
    } finally {
      await open.close();
    }
  });
});

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

it('exports every metric of the dashboard, and no other farmgate metric', async () => {
  await market.platform.db.follower.create({ data: { name: 'notifications', seq: 0 } });
  const metrics = await (await ask(`Bearer ${TOKEN}`)).text();
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const { panels } = JSON.parse(readFileSync('docs/grafana.json', 'utf8')) as Dashboard;
  const shown = panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(farmgate|nodejs|process)_\w+/g) ?? []),
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const name of shown) {
    expect([...known], name).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  }
  const own = [...known].filter((name) => name?.startsWith('farmgate_'));
  expect(own.filter((name) => !shown.some((each) => each.startsWith(name ?? '')))).toEqual([]);
  expect(metrics).toMatch(/farmgate_follower_behind_events\{follower="notifications"\} \d/);
  expect(metrics).toMatch(/farmgate_database_pool_connections\{state="idle"\} \d/);
});
