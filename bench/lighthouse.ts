import { spawn } from 'node:child_process';
import { startStack } from '../e2e/stack.ts';
import { killOnExit } from '../server/testing/kill-on-exit.ts';
import { median, ROUNDS, type Row, report, round } from './report.ts';

/**
 * Runs Lighthouse as it looks at a phone on the pages that visitors come to. npm fetches it when this runs: it brings
 * more packages than the product has, and its newer releases need a newer Node. `BENCH_PAGES` names the pages, by commas.
 */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const LEAST = { performance: 0.95, accessibility: 1, 'best-practices': 1, seo: 1 };

type Category = (typeof CATEGORIES)[number];
type Audit = { id: string; score: number | null; displayValue?: string };
interface Result {
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}

const stack = await startStack({ workers: 0 });
const firstOf = async (list: string): Promise<string> => {
  const { data } = (await (await fetch(`${stack.url}/api${list}`)).json()) as {
    data: { _id: string }[];
  };
  return data[0]?._id ?? '';
};
const PAGES: Record<string, string> = {
  home: '/',
  products: '/products',
  product: `/products/${await firstOf('/products')}`,
  farm: `/farmers/${await firstOf('/users/farmers')}`,
};
const names = process.env.BENCH_PAGES?.split(',') ?? Object.keys(PAGES);

/** Each run has a browser of its own with an empty profile. */
async function look(address: string): Promise<Result> {
  const child = spawn(
    'npx',
    [
      ...['--yes', LIGHTHOUSE, address, '--quiet', '--output=json'],
      ...[`--only-categories=${CATEGORIES.join(',')}`, '--no-enable-error-reporting'],
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking',
    ],
    {
      env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  killOnExit(child);
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  if (!output.startsWith('{')) throw new Error(`Lighthouse gave no result for ${address}.`);
  return JSON.parse(output) as Result;
}

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
const short = new Map<string, string>();
for (const name of names) {
  const results: Result[] = [];
  for (let at = 0; at < ROUNDS; at++) results.push(await look(stack.url + PAGES[name]));
  const scoreOf = (category: Category) =>
    median(results.map(({ categories }) => categories[category].score));
  rows.push({
    page: name,
    ...Object.fromEntries(CATEGORIES.map((category) => [category, round(scoreOf(category))])),
  });
  for (const category of CATEGORIES) {
    const least = LEAST[category];
    goals[`${name}: ${category} at least ${least}`] = scoreOf(category) >= least;
  }
  for (const { audits, categories } of results) {
    for (const { id, weight } of CATEGORIES.flatMap((each) => categories[each].auditRefs)) {
      const { score = null, displayValue = '' } = audits[id] ?? {};
      if (weight > 0 && score !== null && score < 0.9) short.set(`${name}: ${id}`, displayValue);
    }
  }
}
report('lighthouse', rows, goals);
for (const [audit, value] of short) console.log(`below 0.9  ${audit} ${value}`);
await stack.close();
process.exit(Object.values(goals).every(Boolean) ? 0 : 1);
