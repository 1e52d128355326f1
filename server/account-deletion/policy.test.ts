import { expect, it } from 'vitest';
import { ROLES } from '#contract/http';
import { canDeleteUser } from './policy.ts';

it('lets admins delete everyone but admins, and nobody else anyone', () => {
  const allowed = ROLES.flatMap((role) =>
    ROLES.filter((target) => canDeleteUser({ role }, { role: target })).map(
      (target) => `${role} deletes ${target}`,
    ),
  );
  expect(allowed).toEqual(['admin deletes consumer', 'admin deletes farmer']);
});
