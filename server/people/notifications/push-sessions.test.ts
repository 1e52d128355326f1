import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { TASKS } from '../../../workers/housekeeping.ts';
import { changeWhileWaiting } from '../../ordering/testing/change-while-waiting.ts';
import { makeResetLink } from '../../testing/mailed-links.ts';
import { type Answer, type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { PASSWORD, turnOnApp } from '../../testing/second-factor.ts';
import { ageSession, daysLeftOf, sessionIdOf } from '../../testing/sessions.ts';
import { hire } from '../../testing/staff.ts';

// A push subscription belongs to the session that made it.

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');

const call = (method: string, path: string, as: Caller, body?: unknown): Promise<Answer> =>
  market.call(method, path, { as, ...(body === undefined ? {} : { body }) });

async function signIn(caller: Caller, remember = false): Promise<Caller> {
  const credentials = { email: caller.email, password: PASSWORD, remember };
  const { status, body } = await market.call('POST', '/auth/login', { body: credentials });
  expect(status).toBe(200);
  return { ...caller, token: body.token };
}

const PATH = '/notifications/push-subscriptions';
const newBrowser = () => ({
  endpoint: `https://push.example.com/${randomUUID()}`,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
});

/** Subscribes a browser. @returns its endpoint */
async function subscribe(as: Caller, browser = newBrowser()): Promise<string> {
  expect((await call('POST', PATH, as, browser)).status).toBe(201);
  return browser.endpoint;
}
const isSubscribed = async (endpoint: string): Promise<boolean> =>
  (await market.platform.db.pushSubscription.count({ where: { endpoint } })) === 1;
const cleanUp = () => TASKS['delete-ended-sessions']?.(market.platform);

/** Who is on a farm of theirs, with somebody who owns it beside them. */
async function newMember() {
  const owner = await market.join('farmer');
  return { owner, member: await hire(market, owner, 'manager') };
}

interface Case {
  /** Who has the session that is ended. */
  who?: () => Promise<{ member: Caller & { memberId?: string }; owner?: Caller }>;
  end: (it: {
    member: Caller & { memberId?: string };
    owner: Caller;
    /** The same person in another session. */
    elsewhere: Caller;
  }) => Promise<{ status: number }>;
  /** Whether the person's other session goes on, with its push messages. */
  keepsOther: boolean;
}

const CASES: Record<string, Case> = {
  'logging out': { end: ({ member }) => call('POST', '/auth/logout', member), keepsOther: true },
  'logging out after it has run out': {
    end: async ({ member }) => {
      await ageSession(market, member.token, { days: 31 });
      return call('POST', '/auth/logout', member);
    },
    keepsOther: true,
  },
  'the list of devices': {
    end: ({ member, elsewhere }) =>
      call('DELETE', `/auth/sessions/${sessionIdOf(member.token)}`, elsewhere),
    keepsOther: true,
  },
  'signing out all others': {
    end: ({ elsewhere }) => call('DELETE', '/auth/sessions', elsewhere),
    keepsOther: true,
  },
  'a new password': {
    end: ({ elsewhere }) =>
      call('PUT', '/auth/password', elsewhere, {
        currentPassword: PASSWORD,
        newPassword: 'another one',
      }),
    keepsOther: true,
  },
  'a reset': {
    end: async ({ member }) =>
      market.call('POST', '/auth/reset-password', {
        body: { token: await makeResetLink(market, member.id), password: 'another one' },
      }),
    keepsOther: false,
  },
  'an authenticator that is turned on': {
    end: async ({ elsewhere }) => {
      await turnOnApp(market, elsewhere);
      return { status: 200 };
    },
    keepsOther: true,
  },
  'the removal of a second factor': {
    end: async ({ member }) => {
      await market.platform.db.authenticatorApp.create({
        data: { userId: member.id, sealedSecret: 'lost', confirmedAt: new Date() },
      });
      return call('DELETE', `/users/${member.id}/second-factor`, admin, { reason: 'Lost phone' });
    },
    keepsOther: false,
  },
  'a suspension': {
    end: ({ member }) => call('PUT', `/users/${member.id}/suspension`, admin, { suspended: true }),
    keepsOther: false,
  },
  'a deleted account': {
    end: ({ member }) => call('DELETE', `/users/${member.id}`, admin),
    keepsOther: false,
  },
  'removal from a farm': {
    who: newMember,
    end: ({ member, owner }) => call('DELETE', `/farm/members/${member.memberId}`, owner),
    keepsOther: false,
  },
  'a role that includes less': {
    who: newMember,
    end: ({ member, owner }) =>
      call('PUT', `/farm/members/${member.memberId}`, owner, { role: 'packer' }),
    keepsOther: false,
  },
  'the end of the farm': {
    who: newMember,
    end: ({ owner }) => call('DELETE', `/users/${owner.id}`, admin),
    keepsOther: false,
  },
};

describe('push messages end with', () => {
  it.each(Object.entries(CASES))('%s', async (_, { who, end, keepsOther }) => {
    const { member, owner = admin } = (await who?.()) ?? { member: await market.join('consumer') };
    const elsewhere = await signIn(member);
    const [here, there] = [await subscribe(member), await subscribe(elsewhere)];
    const ofOther = await subscribe(await market.join('consumer'));
    // Made by an older release during the upgrade: nobody knows by which session.
    const old = newBrowser();
    const data = { userId: member.id, endpoint: old.endpoint, ...old.keys };
    await market.platform.db.pushSubscription.create({ data });

    expect((await end({ member, owner, elsewhere })).status).toBe(200);

    expect(await isSubscribed(here)).toBe(false);
    expect(await isSubscribed(there)).toBe(keepsOther);
    expect(await isSubscribed(old.endpoint)).toBe(false);
    expect(await isSubscribed(ofOther)).toBe(true);
  });
});

it('a role that includes more leaves push messages on', async () => {
  const { owner, member } = await newMember();
  const here = await subscribe(member);
  const promoted = await call('PUT', `/farm/members/${member.memberId}`, owner, { role: 'owner' });
  expect(promoted.status).toBe(200);
  expect(await isSubscribed(here)).toBe(true);
});

describe('a session with push messages', () => {
  it('is a remembered one from then on', async () => {
    const me = await market.join('consumer');
    expect(await daysLeftOf(market, me.token)).toBeCloseTo(1, 2);
    await subscribe(me);
    expect(await daysLeftOf(market, me.token)).toBeCloseTo(30, 2);
    await ageSession(market, me.token, { days: 29 });
    expect((await call('GET', '/auth/me', me)).status).toBe(200);
  });

  it('keeps them for thirty days after it has run out', async () => {
    const me = await market.join('consumer');
    const without = await signIn(me);
    const here = await subscribe(me);
    await ageSession(market, without.token, { days: 2 });
    await ageSession(market, me.token, { days: 31 });
    expect((await call('GET', '/auth/me', me)).status).toBe(401);
    await cleanUp();
    expect(await isSubscribed(here)).toBe(true);
    expect(await daysLeftOf(market, without.token)).toBeUndefined();
    await ageSession(market, me.token, { days: 28 });
    await cleanUp();
    expect(await isSubscribed(here)).toBe(true);
    await ageSession(market, me.token, { days: 2 });
    await cleanUp();
    expect(await isSubscribed(here)).toBe(false);
  });

  it('hands its browser on to the next session there, of whomever it is', async () => {
    const browser = newBrowser();
    const first = await market.join('consumer');
    await subscribe(first, browser);
    const next = await signIn(first);
    await subscribe(next, browser);
    await call('POST', '/auth/logout', first);
    expect(await isSubscribed(browser.endpoint)).toBe(true);

    const other = await market.join('farmer');
    await subscribe(other, browser);
    await call('POST', '/auth/logout', next);
    const row = await market.platform.db.pushSubscription.findUniqueOrThrow({
      where: { endpoint: browser.endpoint },
    });
    expect(row).toMatchObject({ userId: other.id, sessionId: sessionIdOf(other.token) });
    await call('POST', '/auth/logout', other);
    expect(await isSubscribed(browser.endpoint)).toBe(false);
  });

  it('hands them on to the next sign-in, unless they ended with it', async () => {
    const me = await market.join('consumer');
    const [ranOut, loggedOut] = [newBrowser(), newBrowser()];
    await subscribe(me, ranOut);
    const other = await signIn(me);
    await subscribe(other, loggedOut);
    await ageSession(market, me.token, { days: 31 });
    await call('POST', '/auth/logout', other);

    const next = await signIn(me);
    const renew = async ({ endpoint }: { endpoint: string }, as = next) => {
      const { status, body } = await call('PUT', PATH, as, { endpoint });
      expect(status).toBe(200);
      return body.data.isSubscribed;
    };
    expect(await renew(ranOut)).toBe(true);
    expect(await renew(loggedOut)).toBe(false);
    expect(await renew(ranOut, await market.join('consumer'))).toBe(false);
    // Only turning them on makes a session a remembered one.
    expect(await daysLeftOf(market, next.token)).toBeCloseTo(1, 2);
    await ageSession(market, me.token, { days: 31 });
    await cleanUp();
    expect(await isSubscribed(ranOut.endpoint)).toBe(true);
    await call('POST', '/auth/logout', next);
    expect(await isSubscribed(ranOut.endpoint)).toBe(false);
  });

  it('gets none when it is ended while it turns them on', async () => {
    const me = await market.join('consumer');
    const browser = newBrowser();
    const { status } = await changeWhileWaiting(market.platform.pool, {
      lock: 'SELECT FROM sessions WHERE id = $1 FOR UPDATE',
      id: sessionIdOf(me.token),
      act: () => call('POST', PATH, me, browser),
      change: 'DELETE FROM sessions WHERE id = $1',
    });
    expect(status).toBe(401);
    expect(await isSubscribed(browser.endpoint)).toBe(false);
  });
});

it('subscriptions of an older release belong to the session seen last, or to one that has just run out', async () => {
  const { pool } = market.platform;
  const [signedIn, signedOut] = [await market.join('consumer'), await market.join('consumer')];
  const last = await signIn(signedIn, true);
  const client = await pool.connect();
  try {
    await client.query(`BEGIN;
      DELETE FROM push_subscriptions;
      ALTER TABLE push_subscriptions DROP COLUMN session_id;
      ALTER TABLE sessions DROP COLUMN is_remembered`);
    await client.query('DELETE FROM sessions WHERE user_id = $1', [signedOut.id]);
    await client.query(
      `INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth)
       SELECT id, 'https://push.example.com/' || id, '', '' FROM unnest($1::uuid[]) AS people(id)`,
      [[signedIn.id, signedOut.id]],
    );
    await client.query(
      await readFile('prisma/migrations/20261127002000_sessions/migration.sql', 'utf8'),
    );
    const { rows } = await client.query(
      `SELECT s.id, s.user_id AS "userId", s.is_remembered AS "isRemembered",
         s.expires_at > now() + interval '1 second' AS "isOpen"
       FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id ORDER BY s.user_id = $1`,
      [signedOut.id],
    );
    expect(rows).toEqual([
      { id: sessionIdOf(last.token), userId: signedIn.id, isRemembered: true, isOpen: true },
      { id: expect.any(String), userId: signedOut.id, isRemembered: false, isOpen: false },
    ]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
