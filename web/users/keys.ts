import type { Role } from '#contract/http';

/** The filters of the list of users. */
export type UserFilters = { search?: string | undefined; role?: Role | undefined };

/** The keys of the admin's list of users in the query cache. */
export const usersKeys = {
  all: ['users'] as const,
  list: (filters: UserFilters) => ['users', filters] as const,
};
