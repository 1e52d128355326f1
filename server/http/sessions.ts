import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import type { Worker } from '#contract/constants/farm';
import { Id, type Role } from '#contract/http';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { EventLog, Following } from '../events/event-log.ts';
import { suspended, unauthorized } from './errors.ts';

/** The signed-in person of a request or a socket, with the farm they work for. */
export interface SessionUser extends Worker {
  id: string;
  role: Role;
  name: string;
  /** The sign-in that this request or socket belongs to. */
  sessionId: string;
}

interface Session {
  user: SessionUser;
  /** When the token ends, in milliseconds since the epoch. */
  expiresAt: number;
}

/** The claims of a verified token. */
interface Claims {
  userId: string;
  sessionId: string;
  tokenVersion: number;
  expiresAt: number;
}

interface CachedUser {
  user: Omit<SessionUser, 'sessionId'>;
  tokenVersion: number;
  /** When each sign-in that has not ended was written as seen last, in milliseconds since the epoch. */
  sessions: Map<string, number>;
}

/** A sign-in that is to get a token. */
export interface SignIn {
  userId: string;
  tokenVersion: number;
  /** Whether it lasts for 30 days instead of one. */
  isRemembered?: boolean;
  /** What it is made with, in words for its owner. */
  device?: string;
}

const TOKEN_LIFE_SECONDS = { normal: 24 * 60 * 60, remembered: 30 * 24 * 60 * 60 };
/** Sign-ins of one account; a new one ends the oldest beyond them. */
const SESSIONS_MAX = 50;
/** How old the time is that a session was seen last before it is written again, in milliseconds. */
const SEEN_EVERY_MS = 5 * 60 * 1000;
const ENDED_SESSIONS_MAX = 20_000;
const CACHED_USERS_MAX = 50_000;
const VERIFIED_TOKENS_MAX = 20_000;

const isId = (text: unknown): text is string => Id.safeParse(text).success;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Issues and verifies tokens. A token names its sign-in and the user's token version. It is valid only while
 * the sign-in has not ended and the user still has that version, so one session can be ended, and a deleted
 * account revokes all tokens at once. Users are cached until an event says that they changed.
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
  /** Sessions that were looked for and are not there: they never come back. */
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
    const row = await db.user.findUnique({
      where: { id: userId },
      select: {
        id: true,
        role: true,
        name: true,
        tokenVersion: true,
        deletedAt: true,
        isFarm: true,
        suspendedAt: true,
        membership: { select: { farmId: true, role: true } },
        sessions: { select: { id: true, lastSeenAt: true } },
      },
    });
    if (!row || row.deletedAt || row.isFarm || row.suspendedAt) return null;
    return {
      user: { id: row.id, role: row.role, name: row.name, membership: row.membership },
      tokenVersion: row.tokenVersion,
      sessions: new Map(row.sessions.map(({ id, lastSeenAt }) => [id, lastSeenAt.getTime()])),
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
    tx: Pick<Transaction, '$queryRaw' | '$executeRaw' | 'user'> = db,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const end = now + (isRemembered ? TOKEN_LIFE_SECONDS.remembered : TOKEN_LIFE_SECONDS.normal);
    // In one statement with the check, whose lock a suspension waits for and then finds the session.
    const [session] = await tx.$queryRaw<{ id: string }[]>`
      WITH account AS (
        SELECT id FROM users
        WHERE id = ${userId}::uuid AND deleted_at IS NULL AND suspended_at IS NULL FOR KEY SHARE)
      INSERT INTO sessions (user_id, device, expires_at)
      SELECT id, ${device}::text, ${new Date(end * 1000)}::timestamptz FROM account
      RETURNING id`;
    if (!session) throw await refusalOf(userId, tx);
    await tx.$executeRaw`DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ${userId}::uuid
      ORDER BY created_at DESC, id OFFSET ${SESSIONS_MAX})`;
    invalidate(userId);
    return new SignJWT({ v: tokenVersion, sid: session.id })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(end)
      .sign(key);
  }

  /** Returns why an account gets no session. */
  async function refusalOf(userId: string, tx: Pick<Transaction, 'user'>) {
    const row = await tx.user.findUnique({
      where: { id: userId, deletedAt: null },
      select: { suspendedReason: true },
    });
    return row ? suspended(row.suspendedReason, contactOf()) : unauthorized();
  }

  /**
   * Reads a token. Each signature is verified once; whether the token is still valid is checked every
   * time.
   */
  async function read(token: string): Promise<Claims | null> {
    const known = verifiedTokens.get(token);
    if (known) return known;
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
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

  /** Returns the session behind a token, or null when it is bad, expired or revoked. */
  async function verify(token: string): Promise<Session | null> {
    const claims = await read(token);
    if (!claims || claims.expiresAt <= Date.now()) return null;
    const { userId, sessionId, expiresAt } = claims;
    if (endedSessions.has(sessionId)) return null;
    let found = await findUser(userId);
    if (found && !found.sessions.has(sessionId)) {
      // It may have begun in another process after this one had read the user.
      invalidate(userId);
      found = await findUser(userId);
      if (found && !found.sessions.has(sessionId)) {
        if (endedSessions.size >= ENDED_SESSIONS_MAX) endedSessions.clear();
        endedSessions.add(sessionId);
        return null;
      }
    }
    if (found?.tokenVersion !== claims.tokenVersion) return null;
    noteSeen(found, sessionId);
    return { user: { ...found.user, sessionId }, expiresAt };
  }

  /** Writes that a session was seen, once in a while. Nothing waits for it, and nothing fails with it. */
  function noteSeen({ sessions }: CachedUser, id: string): void {
    const now = Date.now();
    if (now - (sessions.get(id) ?? now) < SEEN_EVERY_MS) return;
    sessions.set(id, now);
    void db.$executeRaw`UPDATE sessions SET last_seen_at = ${new Date(now)}
      WHERE id = ${id}::uuid`.catch(() => undefined);
  }

  /** Stops following the log. */
  async function close(): Promise<void> {
    isClosed = true;
    const started = await following?.catch(() => undefined);
    await started?.close();
  }

  return { issue, verify, invalidate, close };
}
