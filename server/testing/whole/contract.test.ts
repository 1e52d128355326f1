import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EVENTS } from '#contract/app/registry';
import { type Call, ROLES } from '#contract/platform/http/constants';
import { type Endpoint, endpoint } from '#contract/platform/http/endpoint';
import { Done } from '#contract/platform/http/http';
import { allRoutes } from '../../app.ts';
import { closeAfter, startTestMarket } from '../market.ts';
import { CONTRACT, contractConstants, contractModules } from '../samples/contract.ts';

// Each feature declares its endpoints and events once, in its own file of the contract. What collects
// them must have them all.

const modules = await contractModules();
const constants = await contractConstants();
const market = closeAfter(await startTestMarket());

type Api = Record<string, Endpoint>;

/** Exports whose names end in `suffix`, with their file. */
const exported = <Value>(from: typeof modules, suffix: string) =>
  from.flatMap(({ file, exports }) =>
    Object.entries(exports)
      .filter(([name]) => name.endsWith(suffix))
      .map(([name, value]) => ({ file, name, value: value as Value })),
  );

const apis = exported<Api>(modules, 'Api');
const endpoints = apis.flatMap(({ value }) => Object.values(value));
const placeOf = ({ method, path }: Call) => `${method} ${path}`;

describe('every endpoint of the contract', () => {
  it('is mounted once, as declared', () => {
    const mounted = allRoutes(market.platform).map(({ endpoint }) => endpoint);
    expect(mounted.map(placeOf).sort()).toEqual(endpoints.map(placeOf).sort());
    expect(new Set(mounted)).toEqual(new Set(endpoints));
    expect(new Set(mounted.map(placeOf)).size).toBe(mounted.length);
  });

  it('is registered for the client', () => {
    const registry = readFileSync(new URL('app/registry.ts', CONTRACT), 'utf8');
    for (const { name } of apis) expect(registry).toContain(`: typeof ${name};\n`);
  });

  it('has the method and path of its call constant', () => {
    const calls = exported<Record<string, Call>>(constants, 'Api');
    const placesOf = (list: { name: string; value: Record<string, Call> }[]) =>
      list.flatMap(({ name, value }) =>
        Object.entries(value).map(([key, call]) => `${name}.${key} ${placeOf(call)}`),
      );
    expect(placesOf(calls).sort()).toEqual(placesOf(apis).sort());
  });
});

describe('a write of signed-in people', () => {
  const signedIn = endpoints.filter(
    ({ method, access }) => method !== 'GET' && typeof access !== 'string',
  );

  it('is repeatable, but for these', () => {
    const others = signedIn.filter(({ isRepeatable }) => !isRepeatable).map(placeOf);
    expect(others.sort()).toEqual([
      // Below /auth no answer is stored. A repeat finds the session ended, or the password changed.
      'DELETE /auth/passkeys/:id',
      'DELETE /auth/sessions',
      'DELETE /auth/sessions/:id',
      'DELETE /auth/two-factor',
      // The account that would keep the answer is gone.
      'DELETE /users/me',
      // Its answer sets a cookie that lets in.
      'POST /admin/queues-session',
      'POST /admin/test-mail',
      // Their answers are secrets, or would be a second one of the same.
      'POST /auth/passkeys',
      'POST /auth/passkeys/begin',
      'POST /auth/two-factor/begin',
      'POST /auth/two-factor/confirm',
      'POST /auth/two-factor/recovery-codes',
      // Below /auth, as above. A repeat mails another link.
      'POST /auth/verification',
      // Their answers are secret addresses.
      'POST /farm/calendar',
      'POST /farm/members/link',
      // Its body is not JSON.
      'POST /farm/products/imports',
      // Each order is a transaction of its own.
      'POST /farm/shortages',
      // It writes nothing.
      'POST /orders/:id/again',
      // Its body is not JSON.
      'POST /uploads',
      // A wrong try counts.
      'POST /users/me/phone/confirmation',
      // Below /auth, as above.
      'PUT /auth/email',
      'PUT /auth/password',
    ]);
  });

  it('is not repeatable when its answer holds a secret, since answers are stored', () => {
    for (const endpoint of endpoints.filter(({ isRepeatable }) => isRepeatable)) {
      const schema = JSON.stringify(z.toJSONSchema(endpoint.answer, { io: 'input' }));
      const names = [...schema.matchAll(/"(\w+)":/g)].map(([, name = '']) => name);
      expect(names.filter((name) => /token|secret|password|cookie/i.test(name))).toEqual([]);
    }
  });

  it('is repeatable by its form alone: signed in, JSON, and not about tokens', () => {
    const write = {
      method: 'POST',
      path: '/notes',
      summary: '',
      access: ROLES,
      answer: Done,
    } as const;
    expect(endpoint(write).isRepeatable).toBe(true);
    expect(endpoint({ ...write, method: 'GET' }).isRepeatable).toBe(false);
    expect(endpoint({ ...write, access: 'public' }).isRepeatable).toBe(false);
    expect(endpoint({ ...write, access: 'optional' }).isRepeatable).toBe(false);
    expect(endpoint({ ...write, multipart: true }).isRepeatable).toBe(false);
    expect(endpoint({ ...write, notRepeatable: 'Each is another.' }).isRepeatable).toBe(false);
    for (const path of ['/auth/password', '/setup', '/invites/:id']) {
      expect(endpoint({ ...write, path }).isRepeatable).toBe(false);
    }
    expect(endpoint({ ...write, path: '/authors' }).isRepeatable).toBe(true);
  });
});

it('includes every event that a feature declares', () => {
  const declared = exported<Record<string, unknown>>(modules, 'Events').map(({ value }) => value);
  expect(declared.length).toBeGreaterThan(5);
  for (const events of declared) expect(EVENTS).toMatchObject(events);
  const names = declared.flatMap((events) => Object.keys(events));
  // Two features with an event of the same name would overwrite each other.
  expect(new Set(names).size).toBe(names.length);
});
