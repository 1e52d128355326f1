import { placesApi } from '#contract/farm/places/places';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { createPlace, listPlaces, removePlace, updatePlace } from './service.ts';

/** Routes of a farm's pickup places. */
export const placesRoutes = (platform: Platform): Route[] => [
  route(placesApi.list, async ({ user }) => ({ data: await listPlaces(platform, user) })),
  route(placesApi.create, async ({ user, body }) => ({
    data: await createPlace(platform, user, body),
  })),
  route(placesApi.update, async ({ params, user, body }) => ({
    data: await updatePlace(platform, user, params.id, body),
  })),
  route(placesApi.remove, async ({ params, user }) => {
    await removePlace(platform, user, params.id);
    return {};
  }),
];
