import type { Platform } from '../platform/platform.ts';
import type { Route } from '../platform/route.ts';

export const categoriesRoutes = (_platform: Platform): Route[] => [];
