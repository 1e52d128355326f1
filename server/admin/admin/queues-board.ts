import { jwtVerify, SignJWT } from 'jose';
import type { Context, Middleware, Next } from 'koa';
import { msg } from '#contract/platform/text/constants/texts';
import { forbidden, unauthorized, unavailable } from '../../platform/http/errors.ts';
import { allowedOrigins } from '../../platform/http/middleware.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

const BOARD_PATH = '/admin/queues';
const COOKIE = 'farmgate_queues';
/** Audience of the board's tokens, so that the API does not accept them, nor the board those of the API. */
const AUDIENCE = 'queues';
const LIFE_SECONDS = 30 * 60;

/** The board's own page sets a base address and inline styles. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const keyOf = ({ env }: Platform) => new TextEncoder().encode(env.JWT_SECRET);

/**
 * Returns a Set-Cookie value that opens the board, since page loads send no bearer token. The cookie
 * lives 30 minutes and no longer than its session, for the board's path only, and is HttpOnly and SameSite=Strict.
 */
export async function makeBoardCookie(
  platform: Platform,
  { id, sessionId }: SessionUser,
): Promise<string> {
  const [admin] = await platform.db.$queryRaw<{ tokenVersion: number; now: Date }[]>`
    SELECT token_version AS "tokenVersion", now() FROM users WHERE id = ${id}::uuid`;
  if (!admin) throw sessionEnded();
  const token = await new SignJWT({ of: admin.tokenVersion, session: sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor(admin.now.getTime() / 1000) + LIFE_SECONDS)
    .sign(keyOf(platform));
  const secure = platform.env.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${token}; Path=${BOARD_PATH}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** Serves the board of job queues to admins with the cookie; redirects others to the dashboard. */
export function queuesBoard(platform: Platform): Middleware {
  const origins = allowedOrigins(platform.env.PUBLIC_URL, platform.env.NODE_ENV);
  let board: Promise<Middleware> | undefined;
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== BOARD_PATH && !ctx.path.startsWith(`${BOARD_PATH}/`)) return next();
    if (!isOwnPage(ctx, origins)) throw forbidden(msg('Only the board itself may change queues.'));
    if (!(await isOpenTo(platform, ctx.cookies.get(COOKIE)))) {
      if (ctx.path === BOARD_PATH && ctx.accepts('html')) return ctx.redirect('/admin/dashboard');
      throw unauthorized();
    }
    // Loaded for the first who looks: it would take up a fifth of the server's start.
    board ??= import('./board.ts').then(({ createBoard }) => createBoard(platform, BOARD_PATH));
    if (!(await platform.queues().isAnswering())) throw unavailable();
    ctx.set('Content-Security-Policy', CONTENT_POLICY);
    ctx.set('Cache-Control', 'no-store');
    return (await board)(ctx, next);
  };
}

/**
 * Returns whether a request only reads, or a page of this market sends it. SameSite lets in what other pages of the
 * same site send, such as those of another subdomain.
 */
function isOwnPage(ctx: Context, origins: ReadonlySet<string>): boolean {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return true;
  return ctx.get('sec-fetch-site') === 'same-origin' || origins.has(ctx.get('origin'));
}

async function isOpenTo(platform: Platform, token: string | undefined): Promise<boolean> {
  if (!token) return false;
  const verified = await jwtVerify(token, keyOf(platform), {
    algorithms: ['HS256'],
    audience: AUDIENCE,
    // Whether it has ended is asked of the database's clock.
    currentDate: new Date(0),
  }).catch(() => null);
  const { sub, session, of, exp } = verified?.payload ?? {};
  if (!sub || typeof session !== 'string' || typeof of !== 'number' || !exp) return false;
  // Read anew: who may delete jobs is not asked of what is cached.
  platform.sessions.invalidate(sub);
  const claims = { userId: sub, sessionId: session, tokenVersion: of, expiresAt: exp * 1000 };
  return (await platform.sessions.peek(claims))?.user.role === 'admin';
}
