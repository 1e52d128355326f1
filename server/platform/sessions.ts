import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { Id, type Role } from '#contract/platform';
import type { Database } from '../../prisma/client.ts';

/** The signed-in person of a request or a socket. */
export interface SessionUser {
  id: string;
  role: Role;
  name: string;
}

interface Session {
  user: SessionUser;
  /** When the token ends, in milliseconds since the epoch. */
  expiresAt: number;
}

/** What a token says, once its signature was found right. */
interface Claims {
  userId: string;
  tokenVersion: number;
  expiresAt: number;
}

interface Standing {
  user: SessionUser;
  tokenVersion: number;
}

/** Token life in seconds. */
const LIFE = { normal: 24 * 60 * 60, remembered: 30 * 24 * 60 * 60 };
const CACHE_MAX = 50_000;
const PROVEN_MAX = 20_000;

const isId = (text: unknown): text is string => Id.safeParse(text).success;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Tokens and what they are worth now. A token names a user and the version of their tokens; it
 * counts only while that is still the user's version, so a changed password or a deleted account
 * ends every token at once. What is known of users is remembered until the log says it changed.
 */
export function createSessions(options: { db: Database; secret: string }) {
  const { db } = options;
  const key = new TextEncoder().encode(options.secret);
  const standings = new Map<string, Promise<Standing | null>>();
  const proven = new Map<string, Claims>();

  async function load(userId: string): Promise<Standing | null> {
    const row = await db.user.findUnique({
      where: { id: userId },
      select: { id: true, role: true, name: true, tokenVersion: true, deletedAt: true },
    });
    if (!row || row.deletedAt) return null;
    return {
      user: { id: row.id, role: row.role, name: row.name },
      tokenVersion: row.tokenVersion,
    };
  }

  function standingOf(userId: string): Promise<Standing | null> {
    const known = standings.get(userId);
    if (known) return known;
    if (standings.size >= CACHE_MAX) standings.clear();
    const loading = load(userId);
    standings.set(userId, loading);
    // A failed look-up is not an answer, and an unknown user may register any moment.
    loading.then(
      (standing) => {
        if (!standing) forget(userId);
      },
      () => forget(userId),
    );
    return loading;
  }

  /** Drops what is remembered of a user, so that the next request reads it anew. */
  function forget(userId: string): void {
    standings.delete(userId);
  }

  /** Makes a token. */
  async function issue(userId: string, tokenVersion: number, remember: boolean): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ v: tokenVersion })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(now + (remember ? LIFE.remembered : LIFE.normal))
      .sign(key);
  }

  /**
   * Reads a token. The signature of one that was right stays right, so it is reckoned once; whether
   * the token still counts is asked every time.
   */
  async function read(token: string): Promise<Claims | null> {
    const known = proven.get(token);
    if (known) return known;
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
      if (!isId(payload.sub) || !payload.exp || typeof payload.v !== 'number') return null;
      const claims = {
        userId: payload.sub,
        tokenVersion: payload.v,
        expiresAt: payload.exp * 1000,
      };
      if (proven.size >= PROVEN_MAX) proven.clear();
      proven.set(token, claims);
      return claims;
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) return null;
      throw error;
    }
  }

  /** The session behind a token, or nothing when it is bad, expired or revoked. */
  async function verify(token: string): Promise<Session | null> {
    const claims = await read(token);
    if (!claims || claims.expiresAt <= Date.now()) return null;
    const standing = await standingOf(claims.userId);
    if (!standing || standing.tokenVersion !== claims.tokenVersion) return null;
    return { user: standing.user, expiresAt: claims.expiresAt };
  }

  return { issue, verify, forget };
}
