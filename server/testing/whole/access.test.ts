// @long It asks each endpoint in many ways.

import { describe, expect, it } from 'vitest';
import { ROLES } from '#contract/platform/http/constants';
import type { Endpoint } from '#contract/platform/http/endpoint';
import type { Role } from '#contract/platform/http/http';
import { FARM_PERMISSIONS, FARM_ROLES, type FarmRole } from '#contract/platform/session/constants';
import { allRoutes } from '../../app.ts';
import { bodyOf, createDocumentCheck } from '../fuzz/documented.ts';
import { type Caller, closeAfter, startTestMarket } from '../market.ts';
import { type Input, type Party, pathWith } from '../samples/sample.ts';
import { createSamples } from '../samples/samples.ts';
import { hire } from '../staff.ts';

// Every route × every role × visitor, owner and stranger, and every role on a farm. What must come out
// follows from the endpoint's own access and permission; a route without a sample, or an owned record without a word on
// what strangers get, fails here.

// Up before the tests are listed, since its routes are what they are listed from.
const market = closeAfter(await startTestMarket());
const endpoints = allRoutes(market.platform).map(({ endpoint }) => endpoint);

const { samples, own, strangers, prepare } = createSamples(market);

/** People of the farm, somebody who was removed from it, and the same one signed in again. */
const staff = {} as Record<FarmRole, Caller>;

/** What admins write as everybody does, about nobody but themselves. */
const OWN_MATTERS = new Set([
  // Audited once it takes effect.
  'PUT /auth/email',
  'PUT /auth/password',
  'POST /auth/two-factor/begin',
  'POST /auth/passkeys/begin',
  // Audited under the account that is gone: see own-account.test.ts.
  'DELETE /users/me',
  'POST /auth/verification',
  'POST /users/addresses',
  'PUT /users/addresses/:id',
  'DELETE /users/addresses/:id',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/:id',
  'PUT /users/profile',
  'PUT /users/me/phone',
  'POST /users/me/phone/confirmation',
  'POST /messages',
  // A picture is seen by nobody before a change that shows it.
  'POST /uploads',
  'PUT /messages/read/:userId',
  'PUT /notifications/read',
  'PUT /notifications/preferences',
  'POST /notifications/push-subscriptions',
  'PUT /notifications/push-subscriptions',
  'DELETE /notifications/push-subscriptions',
]);

await prepare();
for (const role of FARM_ROLES) staff[role] = await hire(market, own.farmer, role);
const leaver = await hire(market, own.farmer, 'manager');
const removed = leaver;
await market.delete(`/farm/members/${leaver.memberId}`, own.farmer);
const again = { email: leaver.email, password: 'password123' };
const { body } = await market.call('POST', '/auth/login', { body: again });
const jobless = { ...leaver, token: body.token };
const check: ReturnType<typeof createDocumentCheck> = createDocumentCheck(
  (await market.get('/openapi.json')).body,
);

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const mayEnter = ({ access }: Endpoint, party: Party) =>
  typeof access === 'string' || (party !== 'visitor' && access.includes(party));

/** Returns what a party calls an endpoint with, created for each call. */
const inputOf = async (endpoint: Endpoint, party: Party): Promise<Input> =>
  (await samples[nameOf(endpoint)]?.input?.(party)) ?? {};

async function tryIt(endpoint: Endpoint, party: Party, as: Caller | undefined, made?: Input) {
  const input = made ?? (await inputOf(endpoint, party));
  const { body, form } = input;
  const caller = party !== 'visitor' && as === own[party] ? (input.as ?? as) : as;
  const response = await fetch(`${market.url}/api${pathWith(endpoint.path, input)}`, {
    method: endpoint.method,
    headers: {
      ...(caller ? { authorization: `Bearer ${caller.token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const type = response.headers.get('content-type');
  const answer = { status: response.status, body: bodyOf(await response.text(), type) };
  check(endpoint, answer);
  return answer;
}

it('has a sample for every route and for no other', () => {
  expect(Object.keys(samples).sort()).toEqual(endpoints.map(nameOf).sort());
});

for (const endpoint of endpoints) {
  const { access, path, status } = endpoint;
  const { stranger = {}, refused = {}, members = {} } = samples[nameOf(endpoint)] ?? {};

  describe(nameOf(endpoint), () => {
    it.each(['visitor', ...ROLES] as const)(
      'answers a %s as its access declares',
      async (party) => {
        const answer = await tryIt(endpoint, party, party === 'visitor' ? undefined : own[party]);
        const refusal = party === 'visitor' ? 401 : 403;
        const granted = refused[party] ?? status;
        expect(answer.status).toBe(mayEnter(endpoint, party) ? granted : refusal);
      },
    );

    it('rejects a forged token unless it is public', async () => {
      const forged = { ...own.admin, token: `${own.admin.token.slice(0, -4)}AAAA` };
      const answer = await tryIt(endpoint, 'admin', forged);
      // One of these may say what it refuses an ended session for.
      const isRefused = access === 'optional' && endpoint.failures.includes(401);
      const isOpen = typeof access === 'string' && !isRefused;
      expect(answer.status).toBe(isOpen ? (refused.visitor ?? status) : 401);
    });

    if (endpoint.farmPermission) {
      const permission = endpoint.farmPermission;
      it.each(FARM_ROLES)('answers a %s of the farm as the role there says', async (role) => {
        const may = FARM_PERMISSIONS[role].includes(permission);
        const answer = await tryIt(endpoint, 'farmer', staff[role]);
        expect(answer.status).toBe(members[role] ?? (may ? status : 403));
      });

      it('answers 401 to the person who was removed from the farm, and 403 to anyone who works for none', async () => {
        expect((await tryIt(endpoint, 'farmer', removed)).status).toBe(401);
        expect((await tryIt(endpoint, 'farmer', jobless)).status).toBe(403);
      });
    }

    const isAdminsWrite = typeof access !== 'string' && access.includes('admin');
    if (endpoint.method !== 'GET' && isAdminsWrite && !OWN_MATTERS.has(nameOf(endpoint))) {
      it("audits the admin's action", async () => {
        const { auditEntry } = market.platform.db;
        const input = await inputOf(endpoint, 'admin');
        const before = await auditEntry.count({ where: { adminId: own.admin.id } });
        expect((await tryIt(endpoint, 'admin', own.admin, input)).status).toBe(status);
        expect(await auditEntry.count({ where: { adminId: own.admin.id } })).toBe(before + 1);
      });
    }

    for (const [role, expected] of Object.entries(stranger) as [Role, number][]) {
      it(`answers ${expected} to a ${role} who is not a party`, async () => {
        expect((await tryIt(endpoint, role, strangers[role])).status).toBe(expected);
      });
    }

    if (!path.includes(':')) return;

    it('has an expected status for every role that is not a party', () => {
      const callers = typeof access === 'string' ? [] : access.filter((role) => role !== 'admin');
      expect(Object.keys(stranger)).toEqual(expect.arrayContaining(callers));
    });

    it('returns 404 for an invalid id', async () => {
      const role = ROLES.find((candidate) => mayEnter(endpoint, candidate)) ?? 'admin';
      const answer = await market.call(endpoint.method, path.replace(/:\w+/, 'no-id'), {
        as: own[role],
      });
      expect(answer).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } });
      check(endpoint, answer);
    });
  });
}
