import { clockMs } from '#contract/constants/time';
import { healthApi } from '#contract/health';
import { lockCaller } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { audit } from '../process/audit.ts';
import { settleDeliveries } from '../process/held-deliveries.ts';
import { transact } from '../process/postgres.ts';
import { judgeHealth } from './judge.ts';
import { measureHealth } from './measure.ts';

/** Routes of the admins' health page. */
export const healthRoutes = (platform: Platform): Route[] => [
  route(healthApi.read, async () => ({
    data: judgeHealth(await measureHealth(platform), new Date(clockMs())),
  })),
  route(healthApi.settleHeld, async ({ user, body: { action } }) => ({
    data: await transact(platform.db, async (tx) => {
      await lockCaller(tx, user.id);
      const held = await settleDeliveries(tx, action);
      await audit(tx, user, action === 'send' ? 'held.sent' : 'held.dropped', user.id, held);
      return held;
    }),
  })),
];
