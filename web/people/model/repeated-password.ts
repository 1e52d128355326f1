import { normalPassword } from '#contract/people/auth/constants';
import { z } from '#contract/platform/http/zod';

/** The repeated password of a form: extend the form's schema with it. */
export const confirmation = { confirmPassword: z.string().min(1, 'Please repeat the password') };

/** Returns whether both passwords match. An empty repetition has its own error. */
export function passwordsMatch(input: { password: string; confirmPassword: string }): boolean {
  const { password, confirmPassword } = input;
  return confirmPassword === '' || normalPassword(confirmPassword) === normalPassword(password);
}

/** The error for passwords that differ, also checked while other fields are invalid. */
export const mismatch = {
  path: ['confirmPassword'],
  message: 'Passwords do not match',
  when: () => true,
};
