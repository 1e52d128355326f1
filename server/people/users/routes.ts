import { addressesApi } from '#contract/people/addresses/addresses';
import { usersApi } from '#contract/people/users/users';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { createAddress, listAddresses, removeAddress, updateAddress } from './addresses.ts';
import { listUsers, updateProfile } from './service.ts';

/** Routes of one's own profile and addresses, and of all accounts for admins. */
export const usersRoutes = (platform: Platform): Route[] => [
  route(usersApi.updateProfile, async ({ user, body }) => ({
    data: await updateProfile(platform, user, body),
  })),
  route(addressesApi.list, async ({ user }) => ({ data: await listAddresses(platform, user.id) })),
  route(addressesApi.create, async ({ user, body }) => ({
    data: await createAddress(platform, user, body),
  })),
  route(addressesApi.update, async ({ user, params, body }) => ({
    data: await updateAddress(platform, user, params.id, body),
  })),
  route(addressesApi.remove, async ({ user, params }) => {
    await removeAddress(platform, user, params.id);
    return {};
  }),
  route(usersApi.list, async ({ query }) => listAnswer(await listUsers(platform, query))),
];
