import { z } from 'zod';

/** The second box of a form that sets a password: extend the form's schema with it. */
export const confirmation = { confirmPassword: z.string().min(1, 'Please repeat the password') };

/** Whether both boxes hold the same; an empty second box is told of by itself. */
export function passwordsMatch(input: { password: string; confirmPassword: string }): boolean {
  return input.confirmPassword === '' || input.confirmPassword === input.password;
}

/** Where and how a difference is told, also while other fields are still wrong. */
export const mismatch = {
  path: ['confirmPassword'],
  message: 'Passwords do not match',
  when: () => true,
};
