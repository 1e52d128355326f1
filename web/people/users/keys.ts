import type { UserSort, UserState } from '#contract/people/users/constants';
import type { Role } from '#contract/platform/http/http';
import { rootKeys } from '../../platform/queries/pages.ts';

/** The filters and the sort of the list of users. */
export type UserFilters = {
  search?: string | undefined;
  role?: Role | undefined;
  state?: UserState | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Undefined for newest first. */
  sort?: UserSort | undefined;
};

/** The keys of the admin's list of users in the query cache. */
export const usersKeys = {
  all: rootKeys.users,
  list: (filters: UserFilters) => ['users', filters] as const,
};
