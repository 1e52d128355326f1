import { orderChangesApi } from '#contract/ordering/changes/order-changes';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import { shareShortage } from '../shortage/share-shortage.ts';
import { readShortageProgress } from '../shortage/shortage-progress.ts';
import { readWishes } from '../shortage/wishes.ts';
import { changeItems, setWish } from './change-items.ts';
import { answerChange, withdrawChange } from './commands.ts';
import { proposeChange } from './propose.ts';

/** The calls that change an order's lines. */
export const orderChangesRoutes = (platform: Platform): Route[] => [
  route(orderChangesApi.wishes, async ({ user, query }) => ({
    data: await readWishes(platform, user.id, query.products),
  })),
  route(orderChangesApi.propose, async ({ user, params, body }) => ({
    data: await proposeChange(platform, user, params.id, body),
  })),
  route(orderChangesApi.answer, async ({ user, params, body }) => ({
    data: await answerChange(platform, user, params, body),
  })),
  route(orderChangesApi.withdraw, async ({ user, params }) => ({
    data: await withdrawChange(platform, user, params),
  })),
  route(orderChangesApi.setWish, async ({ user, params, body }) => ({
    data: await setWish(platform, user, params, body),
  })),
  route(orderChangesApi.shareShortage, async ({ user, query, body }) => ({
    data: await shareShortage(platform, user, actingFarm(user), {
      ...body,
      isPreview: query.preview === 'true',
    }),
  })),
  route(orderChangesApi.readShortage, async ({ user, params }) => ({
    data: await readShortageProgress(platform, actingFarm(user), params.id),
  })),
  route(orderChangesApi.changeItems, async ({ user, params, body }) => ({
    data: await changeItems(platform, user, params.id, body),
  })),
];
