import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestMarket, type TestMarket } from '../testing/market.ts';

let market: TestMarket;
beforeAll(async () => {
  market = await startTestMarket();
});
afterAll(() => market.close());

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

it('every metric that the dashboard shows is there', async () => {
  await market.platform.db.follower.create({ data: { name: 'notifications', seq: 0 } });
  const metrics = await (await fetch(`${market.url}/metrics`)).text();
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
