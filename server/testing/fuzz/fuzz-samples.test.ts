// @long It asks each endpoint in many ways.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ROLES } from '#contract/platform/http/constants';
import type { Endpoint } from '#contract/platform/http/endpoint';
import { scaled, WAIT_MS } from '../../../testing/until.ts';
import { allRoutes } from '../../app.ts';
import { closeAfter, startTestMarket } from '../market.ts';
import { type Input, type Party, pathWith } from '../samples/sample.ts';
import { createSamples } from '../samples/samples.ts';
import { createDocumentCheck } from './documented.ts';
import { nastyValue, spoiled } from './fuzz-values.ts';

// The valid call of every endpoint, and copies of it that are right but for one value: they get past the first look, so
// they reach what made-up requests hardly ever do (fuzz.test.ts). The same seed spoils the same calls in the same way.

/** Spoiled copies of each valid call. */
const COPIES = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 3500) / 1000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_240_617);

const market = closeAfter(await startTestMarket());
const endpoints: Endpoint[] = allRoutes(market.platform).map(({ endpoint }) => endpoint);
const samples: ReturnType<typeof createSamples> = createSamples(market);
await samples.prepare();
const check: ReturnType<typeof createDocumentCheck> = createDocumentCheck(
  (await market.get('/openapi.json')).body,
);

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Returns who makes the valid call, and the status that answers it. */
function callerOf(endpoint: Endpoint): { party: Party; granted: number } {
  const { access, status } = endpoint;
  const { refused = {} } = samples.samples[nameOf(endpoint)] ?? {};
  const parties: readonly Party[] =
    typeof access === 'string' ? ['visitor'] : ROLES.filter((role) => access.includes(role));
  const party = parties.find((each) => refused[each] === undefined) ?? parties[0] ?? 'visitor';
  return { party, granted: refused[party] ?? status };
}

const inputOf = async (endpoint: Endpoint): Promise<Input> =>
  (await samples.samples[nameOf(endpoint)]?.input?.(callerOf(endpoint).party)) ?? {};

/** Sends a call; its answer must be one that the document knows. @returns its status */
async function send(endpoint: Endpoint, input: Input): Promise<number> {
  const { party } = callerOf(endpoint);
  const caller = party === 'visitor' ? undefined : (input.as ?? samples.own[party]);
  const response = await fetch(`${market.url}/api${pathWith(endpoint.path, input)}`, {
    method: endpoint.method,
    headers: {
      ...(caller ? { authorization: `Bearer ${caller.token}` } : {}),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: input.form ?? (input.body === undefined ? null : JSON.stringify(input.body)),
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status}: ${text}`);
  const isJson = response.headers.get('content-type')?.includes('json');
  check(endpoint, { status: response.status, body: isJson ? JSON.parse(text) : text });
  return response.status;
}

/** Returns copies of a call with one value spoiled: of its body, or else of its path. */
function spoil(input: Input, seed: number): Input[] {
  const draw = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { numRuns: COPIES, seed });
  const { id, body } = input;
  if (body !== undefined) return draw(spoiled(body)).map((each) => ({ ...input, body: each }));
  if (id === undefined) return [];
  const ids = [id].flat();
  return draw(nastyValue).map((value) => {
    // Halves of characters cannot stand in an address at all.
    const text = Buffer.from(String(JSON.stringify(value)).slice(0, 600)).toString();
    return { ...input, id: [...ids.slice(0, -1), encodeURIComponent(text)] };
  });
}

it('answers the valid call of every endpoint as it should be', async () => {
  const answered: Record<string, number> = {};
  const expected: Record<string, number> = {};
  for (const endpoint of endpoints) {
    expected[nameOf(endpoint)] = callerOf(endpoint).granted;
    answered[nameOf(endpoint)] = await send(endpoint, await inputOf(endpoint));
  }
  expect(answered).toEqual(expected);
});

it('answers every valid call with one value spoiled as documented, and never with 5xx', {
  timeout: WAIT_MS + scaled(COPIES * 60_000),
}, async () => {
  const faults: Record<string, string> = {};
  let sent = 0;
  for (const [index, endpoint] of endpoints.entries()) {
    for (const copy of spoil(await inputOf(endpoint), SEED + index)) {
      sent++;
      await send(endpoint, copy).catch((error: Error) => {
        const call = JSON.stringify([copy.id, copy.body]).slice(0, 2000);
        faults[`${nameOf(endpoint)}: ${error.message}`] ??= call;
      });
    }
  }
  console.log(`Fuzzed: ${sent} copies of valid calls; seed ${SEED}.`);
  expect(faults).toEqual({});
});
