import type { Context, Next } from 'koa';
import type { Platform } from '../platform/platform.ts';

/** Serves uploaded pictures below `/uploads/`. */
export const serveUploads = (_platform: Platform) => (_ctx: Context, next: Next) => next();
