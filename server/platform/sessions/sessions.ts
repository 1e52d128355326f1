import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { Id, type Role } from '#contract/platform/http/http';
import type { Worker } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { type EventLog, type Following, type NewEvent, record } from '../events/event-log.ts';
import { suspended, unauthorized } from '../http/errors.ts';

/** The signed-in person of a request or a socket, with the farm they work for. */
export interface SessionUser extends Worker {
  id: string;
  role: Role;
  name: string;
  /** The one that they chose, or null; see `languageOf`. */
  language: string | null;
  /** The sign-in that this request or socket belongs to. */
  sessionId: string;
}

export interface Session {
  user: SessionUser;
  tokenVersion: number;
  /** How long it lasts from now on unless it is used, in milliseconds. */
  leftMs: number;
}

/** What a signed token says of the session that it is of. */
interface Claims {
  userId: string;
  sessionId: string;
  tokenVersion: number;
  /** When the token ends itself, in milliseconds since the epoch. */
  expiresAt: number;
}

interface CachedUser {
  user: Omit<SessionUser, 'sessionId'>;
  tokenVersion: number;
  /** Those that had not ended when they were read. */
  sessions: Map<string, CachedSession>;
  /** Returns the time by the database's clock, in milliseconds since the epoch. */
  now: () => number;
}

/** Times by the database's clock, in milliseconds since the epoch. */
interface CachedSession {
  /** When it was written as seen last. */
  seenAt: number;
  expiresAt: number;
}

/** A sign-in that is to get a token. */
interface SignIn {
  userId: string;
  tokenVersion: number;
  /** Whether it lasts for 30 days without use instead of one. */
  isRemembered?: boolean;
  /** What it is made with, in words for its owner. */
  device?: string;
}

/** How long a session lasts without use, and its token in any case, in days. */
const LIFE_DAYS = { normal: 1, remembered: 30, token: 180 };
/** Sign-ins of one account; a new one ends the oldest beyond them. */
const SESSIONS_MAX = 50;
/** How old the time is that a session was seen last before it is written again, in milliseconds. */
const SEEN_EVERY_MS = 5 * 60 * 1000;
const ENDED_SESSIONS_MAX = 20_000;
const CACHED_USERS_MAX = 50_000;
const VERIFIED_TOKENS_MAX = 20_000;

/** Where use moves the end of a row of `sessions` to. */
const endAfterUse = (isRemembered: Prisma.Sql) => Prisma.sql`LEAST(
  now() + make_interval(days =>
    CASE WHEN ${isRemembered} THEN ${LIFE_DAYS.remembered}::int ELSE ${LIFE_DAYS.normal}::int END),
  created_at + make_interval(days => ${LIFE_DAYS.token}::int))`;

const DAY_SECONDS = 24 * 60 * 60;

interface UserRow extends Omit<CachedUser['user'], 'id'> {
  tokenVersion: number;
  now: number;
  sessions: ({ id: string } & CachedSession)[];
}

const isId = (text: unknown): text is string => Id.safeParse(text).success;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Issues and verifies tokens. A token names its sign-in and the user's token version. It is valid only while
 * the sign-in has not ended and the user still has that version, so one session can be ended, and a deleted
 * account revokes all tokens at once. Users are cached until an event says that they changed. All times are those of
 * the database's clock, which is the same for all processes.
 */
export function createSessions(options: {
  db: Database;
  eventLog: EventLog;
  secret: string;
  /** Where somebody whose account is suspended can write to. */
  contactOf: () => string;
}) {
  const { db, eventLog, contactOf } = options;
  const key = new TextEncoder().encode(options.secret);
  const usersById = new Map<string, Promise<CachedUser | null>>();
  const verifiedTokens = new Map<string, Claims>();
  /** Sessions that were looked for and have ended: they never come back. */
  const endedSessions = new Set<string>();
  let following: Promise<Following> | undefined;
  let isClosed = false;

  /**
   * Follows the log from before the first user is cached, in every process that verifies tokens.
   * Started lazily because Postgres may be away when the process starts.
   */
  function followLog(): Promise<Following> {
    following ??= eventLog.head().then((seq) => {
      const started = eventLog.follow(seq, (event) => {
        if (event.name === 'session.changed') invalidate(event.data._id);
      });
      if (isClosed) void started.close();
      return started;
    });
    following.catch(() => {
      following = undefined;
    });
    return following;
  }

  async function load(userId: string): Promise<CachedUser | null> {
    await followLog();
    const [row] = await db.$queryRaw<UserRow[]>`
      SELECT role::text, name, language, token_version AS "tokenVersion",
        extract(epoch FROM now())::float8 * 1000 AS now,
        (SELECT json_build_object('farmId', farm_id, 'role', role)
         FROM farm_members WHERE user_id = users.id) AS membership,
        (SELECT coalesce(json_agg(json_build_object('id', id,
           'seenAt', extract(epoch FROM last_seen_at) * 1000,
           'expiresAt', extract(epoch FROM expires_at) * 1000)), '[]')
         FROM sessions WHERE user_id = users.id AND expires_at > now()) AS sessions
      FROM users
      WHERE id = ${userId}::uuid AND deleted_at IS NULL AND NOT is_farm AND suspended_at IS NULL`;
    if (!row) return null;
    const { role, name, language, membership, tokenVersion } = row;
    return {
      user: { id: userId, role, name, language, membership },
      tokenVersion,
      sessions: new Map(row.sessions.map(({ id, ...times }) => [id, times])),
      now: clockFrom(row.now),
    };
  }

  function findUser(userId: string): Promise<CachedUser | null> {
    const cached = usersById.get(userId);
    if (cached) return cached;
    if (usersById.size >= CACHED_USERS_MAX) usersById.clear();
    const loading = load(userId);
    usersById.set(userId, loading);
    // Do not cache failures, or unknown users, who may register at any moment.
    const invalidateThis = () => {
      if (usersById.get(userId) === loading) invalidate(userId);
    };
    loading.then((user) => {
      if (!user) invalidateThis();
    }, invalidateThis);
    return loading;
  }

  /** Drops a cached user, so that the next request reads it from the database. */
  function invalidate(userId: string): void {
    usersById.delete(userId);
  }

  /**
   * Begins a session and issues its token. Every way to sign in ends here, so that none gets around a
   * suspension.
   * @param tx where what the sign-in was proved by is locked, so that what ends it finds the session
   * @throws 401 the account was just deleted, 403 ACCOUNT_SUSPENDED
   */
  async function issue(
    { userId, tokenVersion, isRemembered = false, device = '' }: SignIn,
    tx: Transaction | Database = db,
  ): Promise<string> {
    const days = isRemembered ? LIFE_DAYS.remembered : LIFE_DAYS.normal;
    // In one statement with the check, whose lock a suspension waits for and then finds the session.
    const [session] = await tx.$queryRaw<{ id: string; createdAt: Date }[]>`
      WITH account AS (
        SELECT id FROM users
        WHERE id = ${userId}::uuid AND deleted_at IS NULL AND suspended_at IS NULL FOR KEY SHARE)
      INSERT INTO sessions (user_id, device, is_remembered, expires_at)
      SELECT id, ${device}::text, ${isRemembered}, now() + make_interval(days => ${days}::int)
      FROM account
      RETURNING id, created_at AS "createdAt"`;
    if (!session) throw await refusalOf(userId, tx);
    const surplus = await tx.$executeRaw`DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${userId}::uuid
      ORDER BY created_at DESC, id OFFSET ${SESSIONS_MAX})`;
    if (surplus > 0) await record(tx, sessionChanged(userId));
    invalidate(userId);
    const issuedAt = Math.floor(session.createdAt.getTime() / 1000);
    return new SignJWT({ v: tokenVersion, sid: session.id })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFE_DAYS.token * DAY_SECONDS)
      .sign(key);
  }

  /** Returns why an account gets no session. */
  async function refusalOf(userId: string, tx: Transaction | Database) {
    const row = await tx.user.findUnique({
      where: { id: userId, deletedAt: null },
      select: { suspendedReason: true },
    });
    return row ? suspended(row.suspendedReason, contactOf()) : unauthorized();
  }

  /**
   * Returns what a token of this market says, also when it or its session has ended. Each signature is verified once.
   */
  async function read(token: string): Promise<Claims | null> {
    const known = verifiedTokens.get(token);
    if (known) return known;
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        // By the clock of this process it may have ended already; `find` asks the database's.
        currentDate: new Date(0),
      });
      const { sub, exp, v, sid } = payload;
      if (!isId(sub) || !isId(sid) || !exp || typeof v !== 'number') return null;
      const claims = {
        userId: sub,
        sessionId: sid,
        tokenVersion: v,
        expiresAt: exp * 1000,
      };
      if (verifiedTokens.size >= VERIFIED_TOKENS_MAX) verifiedTokens.clear();
      verifiedTokens.set(token, claims);
      return claims;
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) return null;
      throw error;
    }
  }

  /** Returns how long a session lasts from now on, in milliseconds; 0 when it or its token has ended. */
  const leftOf = ({ sessions, now }: CachedUser, { sessionId, expiresAt }: Claims): number =>
    Math.max(0, Math.min(sessions.get(sessionId)?.expiresAt ?? 0, expiresAt) - now());

  /** Returns the user of a session that has not ended, else null. */
  async function find(claims: Claims): Promise<CachedUser | null> {
    const { userId, sessionId, tokenVersion } = claims;
    if (endedSessions.has(sessionId)) return null;
    const reading = findUser(userId);
    let found = await reading;
    if (found && leftOf(found, claims) === 0) {
      // In another process it may have begun, or its end have moved on, after this one had read the user.
      if (usersById.get(userId) === reading) invalidate(userId);
      found = await findUser(userId);
      if (found && !found.sessions.has(sessionId)) {
        if (endedSessions.size >= ENDED_SESSIONS_MAX) endedSessions.clear();
        endedSessions.add(sessionId);
      }
      if (found && leftOf(found, claims) === 0) return null;
    }
    return found?.tokenVersion === tokenVersion ? found : null;
  }

  const present = (found: CachedUser, claims: Claims): Session => ({
    user: { ...found.user, sessionId: claims.sessionId },
    tokenVersion: found.tokenVersion,
    leftMs: leftOf(found, claims),
  });

  /** Returns the session of a token, or null when it is bad, expired or revoked. It counts as used. */
  async function verify(token: string): Promise<Session | null> {
    const claims = await read(token);
    const found = claims && (await find(claims));
    if (!found) return null;
    noteUse(found, claims);
    return present(found, claims);
  }

  /** Returns a session as {@link verify} does, for checks that are no use of it. */
  async function peek(of: string | Claims): Promise<Session | null> {
    const claims = typeof of === 'string' ? await read(of) : of;
    const found = claims && (await find(claims));
    return found ? present(found, claims) : null;
  }

  /**
   * Writes once in a while that a session was seen, and moves its end on, at most once an hour and not beyond its
   * token's. Nothing waits for it, and nothing fails with it. It has no effect on a session that is ended at the same
   * time.
   */
  function noteUse({ sessions, now }: CachedUser, { sessionId, expiresAt }: Claims): void {
    const session = sessions.get(sessionId);
    if (!session || now() - session.seenAt < SEEN_EVERY_MS) return;
    session.seenAt = now();
    const end = Prisma.sql`LEAST(
      ${endAfterUse(Prisma.sql`is_remembered`)}, to_timestamp(${expiresAt / 1000}::float8))`;
    const writing = db.$queryRaw<{ expiresAt: Date }[]>`
      UPDATE sessions SET last_seen_at = now(), expires_at =
        CASE WHEN expires_at < ${end} - interval '1 hour' THEN ${end} ELSE expires_at END
      WHERE id = ${sessionId}::uuid AND expires_at > now()
      RETURNING expires_at AS "expiresAt"`;
    writing.then(
      ([row]) => {
        if (row) session.expiresAt = row.expiresAt.getTime();
      },
      () => undefined,
    );
  }

  /** Stops following the log. */
  async function close(): Promise<void> {
    isClosed = true;
    const started = await following?.catch(() => undefined);
    await started?.close();
  }

  /** Returns whether the account of a token that is no longer valid is deleted or suspended. */
  async function isAccountGone(token: string): Promise<boolean> {
    const claims = await read(token);
    if (!claims || (await findUser(claims.userId))) return false;
    return (await db.user.count({ where: { id: claims.userId } })) > 0;
  }

  return { issue, read, verify, peek, isAccountGone, invalidate, close };
}

/**
 * Returns the database's clock, which said `start` just now. A process may have slept, or its own clock may be set, so
 * the longer of two measures counts: a session that has ended by it is read again before it is refused.
 */
function clockFrom(start: number): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => start + Math.max(performance.now() - steady, Date.now() - wall);
}

/** The event by which every process forgets what it has cached of a user. It has no audience. */
export const sessionChanged = (userId: string): NewEvent => ({
  name: 'session.changed',
  data: { _id: userId },
  rooms: [],
});

/**
 * Ends sessions of an account, all of them unless `which` says otherwise, and with each what it has started: its push
 * subscriptions go with its row, and its sockets, the queue board's cookie and the caches of all processes follow it.
 * Whatever ends a session does it here, in the transaction that has the cause. Its caller drops the cached user after
 * the commit and, to end more than a known one, locks the user's row: then a sign-in at the same moment comes before or
 * after.
 * @returns how many ended
 */
export async function endSessions(
  tx: Transaction,
  userId: string,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  const { only, except } = which;
  const { count } = await tx.session.deleteMany({
    where: {
      userId,
      id: { ...(only ? { equals: only } : {}), ...(except ? { not: except } : {}) },
    },
  });
  await tx.pushSubscription.deleteMany({ where: { userId, sessionId: null } });
  if (count > 0) await record(tx, sessionChanged(userId));
  return count;
}

/**
 * Makes a session that is in use a remembered one.
 * @throws 401 it has ended
 */
export async function rememberSession(tx: Transaction, id: string): Promise<void> {
  const count = await tx.$executeRaw`
    UPDATE sessions SET is_remembered = true,
      expires_at = GREATEST(expires_at, ${endAfterUse(Prisma.sql`true`)})
    WHERE id = ${id}::uuid AND expires_at > now()`;
  if (count === 0) throw hasEnded();
}

/**
 * Locks a session, for what is to end with it.
 * @throws 401 it has ended
 */
export async function lockSession(tx: Transaction, id: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM sessions WHERE id = ${id}::uuid AND expires_at > now() FOR KEY SHARE`;
  if (rows.length === 0) throw hasEnded();
}

const hasEnded = () => unauthorized(msg('Your session has ended. Please sign in again.'));
