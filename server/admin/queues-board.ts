import { jwtVerify, SignJWT } from 'jose';
import type { Context, Middleware, Next } from 'koa';
import { unauthorized, unavailable } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';

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
 * lives 30 minutes, for the board's path only, and is HttpOnly and SameSite=Strict.
 */
export async function makeBoardCookie(platform: Platform, adminId: string): Promise<string> {
  const { tokenVersion } = await platform.db.user.findUniqueOrThrow({
    where: { id: adminId },
    select: { tokenVersion: true },
  });
  const token = await new SignJWT({ of: tokenVersion })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(adminId)
    .setAudience(AUDIENCE)
    .setExpirationTime(`${LIFE_SECONDS}s`)
    .sign(keyOf(platform));
  const secure = platform.env.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${token}; Path=${BOARD_PATH}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

/** Serves the board of job queues to admins with the cookie; redirects others to the dashboard. */
export function queuesBoard(platform: Platform): Middleware {
  let board: Promise<Middleware> | undefined;
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== BOARD_PATH && !ctx.path.startsWith(`${BOARD_PATH}/`)) return next();
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

async function isOpenTo(platform: Platform, token: string | undefined): Promise<boolean> {
  if (!token) return false;
  const verified = await jwtVerify(token, keyOf(platform), {
    algorithms: ['HS256'],
    audience: AUDIENCE,
  }).catch(() => null);
  if (!verified?.payload.sub) return false;
  const admin = await platform.db.user.findUnique({
    where: { id: verified.payload.sub, role: 'admin', deletedAt: null },
    select: { tokenVersion: true },
  });
  return admin?.tokenVersion === verified.payload.of;
}
