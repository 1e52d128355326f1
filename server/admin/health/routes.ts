import { healthApi } from '#contract/admin/health/health';
import { clockMs } from '#contract/platform/time/constants';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import { audit } from '../../platform/stores/audit.ts';
import { settleDeliveries } from '../../platform/stores/held-deliveries.ts';
import { transact } from '../../platform/stores/postgres.ts';
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
