import type { Platform } from '../platform/platform.ts';
import type { Route } from '../platform/route.ts';

export const adminRoutes = (_platform: Platform): Route[] => [];
