import { clockMs } from '#contract/constants/time';
import { healthApi } from '#contract/health';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { judgeHealth } from './judge.ts';
import { measureHealth } from './measure.ts';

/** Routes of the admins' health page. */
export const healthRoutes = (platform: Platform): Route[] => [
  route(healthApi.read, async () => ({
    data: judgeHealth(await measureHealth(platform), new Date(clockMs())),
  })),
];
