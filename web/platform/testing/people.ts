import type { User } from '#contract/people/users/users';

/** Returns a user fixture of a role. */
export function aUser(role: User['role'], name = 'Ada Lovelace'): User {
  return {
    _id: `00000000-0000-4000-8000-00000000000${['consumer', 'farmer', 'admin'].indexOf(role)}`,
    name,
    email: `${role}@farmgate.test`,
    role,
    phone: '',
    address: { street: '', city: '', state: '', zipCode: '' },
    createdAt: '2026-01-05T10:00:00.000Z',
  };
}

/** A string in the format of a token. */
export const aToken = 'aaa.bbb.ccc';
