import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import type { Worker } from '#contract/constants/farm';
import { Id, type Role } from '#contract/http';
import type { Database } from '../../prisma/client.ts';
import type { EventLog, Following } from '../events/event-log.ts';

/** The signed-in person of a request or a socket, with the farm they work for. */
export interface SessionUser extends Worker {
  id: string;
  role: Role;
  name: string;
}

interface Session {
  user: SessionUser;
  /** When the token ends, in milliseconds since the epoch. */
  expiresAt: number;
}

/** The claims of a verified token. */
interface Claims {
  userId: string;
  tokenVersion: number;
  expiresAt: number;
}

interface CachedUser {
  user: SessionUser;
  tokenVersion: number;
}

const TOKEN_LIFE_SECONDS = { normal: 24 * 60 * 60, remembered: 30 * 24 * 60 * 60 };
const CACHED_USERS_MAX = 50_000;
const VERIFIED_TOKENS_MAX = 20_000;

const isId = (text: unknown): text is string => Id.safeParse(text).success;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Issues and verifies tokens. A token holds the user's token version and is valid only while the user
 * still has that version, so a changed password or a deleted account revokes all tokens at once. Users
 * are cached until an event says that they changed.
 */
export function createSessions(options: { db: Database; eventLog: EventLog; secret: string }) {
  const { db, eventLog } = options;
  const key = new TextEncoder().encode(options.secret);
  const usersById = new Map<string, Promise<CachedUser | null>>();
  const verifiedTokens = new Map<string, Claims>();
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
        membership: { select: { farmId: true, role: true } },
      },
    });
    if (!row || row.deletedAt || row.isFarm) return null;
    return {
      user: { id: row.id, role: row.role, name: row.name, membership: row.membership },
      tokenVersion: row.tokenVersion,
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

  /** Issues a token, for 30 days when `remember` is set, else for one. */
  async function issue(userId: string, tokenVersion: number, remember: boolean): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ v: tokenVersion })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(
        now + (remember ? TOKEN_LIFE_SECONDS.remembered : TOKEN_LIFE_SECONDS.normal),
      )
      .sign(key);
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
      if (!isId(payload.sub) || !payload.exp || typeof payload.v !== 'number') return null;
      const claims = {
        userId: payload.sub,
        tokenVersion: payload.v,
        expiresAt: payload.exp * 1000,
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
    const found = await findUser(claims.userId);
    if (!found || found.tokenVersion !== claims.tokenVersion) return null;
    return { user: found.user, expiresAt: claims.expiresAt };
  }

  /** Stops following the log. */
  async function close(): Promise<void> {
    isClosed = true;
    const started = await following?.catch(() => undefined);
    await started?.close();
  }

  return { issue, verify, invalidate, close };
}
