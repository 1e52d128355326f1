import {
  Confirmation,
  secondFactorFields,
  typedPassword,
} from '#contract/people/auth/confirmation';
import {
  authApi as calls,
  normalPassword,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '#contract/people/auth/constants';
import { User } from '#contract/people/users/users';
import { ROLES } from '#contract/platform/http/constants';
import { canonicalEmail } from '#contract/platform/http/email';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Address,
  Email,
  Id,
  Instant,
  idParams,
  named,
  one,
  oneLine,
  Role,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

const passwordTooLong = () =>
  t('Password must be at most {max} characters', { max: PASSWORD_MAX_LENGTH });

/** A new password, in its normal form, whose characters count. */
export const NewPassword = z
  .string()
  .overwrite(normalPassword)
  .min(PASSWORD_MIN_LENGTH, {
    error: () => t('Password must be at least {min} characters', { min: PASSWORD_MIN_LENGTH }),
  })
  .max(PASSWORD_MAX_LENGTH, { error: passwordTooLong });

/** Whether they agree to the terms, which has to be so where the market has terms. */
export const AcceptsTerms = z.boolean().optional();

export const Register = z
  .object({
    name: oneLine(100, () => t('Name is required')),
    email: Email,
    password: NewPassword,
    role: z.enum(['consumer', 'farmer']).default('consumer'),
    phone: text(40).default(''),
    address: Address.prefault({}),
    acceptsTerms: AcceptsTerms,
  })
  .refine((input) => input.role !== 'farmer' || input.phone !== '', {
    path: ['phone'],
    error: () => t('Phone is required for farmers'),
    // Reported together with the other errors.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });
export type Register = z.infer<typeof Register>;

export const Login = z.object({
  email: text(254)
    .overwrite(canonicalEmail)
    .min(1, { error: () => t('Email is required') }),
  password: typedPassword(() => t('Password is required'), passwordTooLong),
  /** Lengthens the token's life. */
  remember: z.boolean().default(false),
  /** A code of the authenticator app, or a recovery code; asked for with 401 `SECOND_FACTOR_REQUIRED`. */
  code: text(60).optional(),
});
export type Login = z.infer<typeof Login>;

export const ForgotPassword = z.object({ email: Email });
export type ForgotPassword = z.infer<typeof ForgotPassword>;

export const ResetPassword = z.object({
  token: text(200).min(1, { error: () => t('Open the link in the email again.') }),
  password: NewPassword,
});
export type ResetPassword = z.infer<typeof ResetPassword>;

export const VerifyEmail = z.object({
  token: text(200).min(1, { error: () => t('Open the link in the email again.') }),
});
export type VerifyEmail = z.infer<typeof VerifyEmail>;

/**
 * What a mailed link is for: to verify the email of a new account, to confirm a new email in the place of a proven one,
 * or to undo such a change, by its old address.
 */
export const EMAIL_LINK_PURPOSES = ['verify', 'change', 'undo'] as const;

/** What somebody sees of an account whose link was mailed to them, before they say that it is theirs or not. */
export const EmailLink = named('EmailLink', {
  purpose: z.enum(EMAIL_LINK_PURPOSES),
  /** Where the link was mailed. */
  email: z.string(),
  /** What a change made, or would make, of it; null for other links. */
  newEmail: z.string().nullable(),
  account: z.object({ name: z.string(), role: Role, createdAt: Instant }),
  /** Whether it was used already. */
  isDone: z.boolean(),
});
export type EmailLink = z.infer<typeof EmailLink>;

export const ChangeEmail = Confirmation.extend({ email: Email });
export type ChangeEmail = z.infer<typeof ChangeEmail>;

/** The email of an account, and the one that takes its place once it is confirmed. */
export const AccountEmail = named('AccountEmail', {
  email: z.string(),
  isVerified: z.boolean(),
  /** Since when a mail server refuses it permanently, and its reply; absent unless one does. */
  unreachable: z.object({ since: Instant, reply: z.string() }).nullable().optional(),
  pending: z
    .object({
      email: z.string(),
      until: Instant,
      /** A mail server refuses it permanently; absent unless one does. */
      isUnreachable: z.literal(true).optional(),
    })
    .nullable(),
});
export type AccountEmail = z.infer<typeof AccountEmail>;

export const Session = named('Session', {
  success: z.literal(true),
  token: z.string(),
  user: User,
});

export const ChangePassword = z.object({
  currentPassword: typedPassword(
    () => t('Enter your current password.'),
    () => t('That is not your current password.'),
  ),
  newPassword: NewPassword,
  /** Gives the caller's private calendar of a farm a new address. */
  renewsCalendar: z.boolean().default(true),
  ...secondFactorFields,
});
export type ChangePassword = z.infer<typeof ChangePassword>;

/** Where somebody is signed in. */
export const SignedInDevice = named('SignedInDevice', {
  _id: Id,
  /** In words, such as 'Firefox on Linux'. */
  device: z.string(),
  createdAt: Instant,
  /** Up to some minutes ago. */
  lastSeenAt: Instant,
  /** Whether this is the session that asks. */
  isCurrent: z.boolean(),
});
export type SignedInDevice = z.infer<typeof SignedInDevice>;

export const Me = z.object({ success: z.literal(true), user: User });

export const authApi = endpoints(calls, {
  register: {
    summary: 'Open an account as a consumer or a farmer',
    access: 'public',
    body: Register,
    answer: Session,
    status: 201,
    rate: 'register',
    failures: [409],
    readsDeviceId: true,
  },
  login: {
    summary:
      'Sign in; 401 `SECOND_FACTOR_REQUIRED` asks for the `code` of an account that has a second factor',
    access: 'public',
    body: Login,
    answer: Session,
    rate: 'login',
    failures: [401],
    readsDeviceId: true,
  },
  logout: {
    summary:
      'End the session of the token that is sent, everywhere; 200 also where it has ended already',
    access: 'optional',
  },
  me: {
    summary: 'The signed-in user',
    access: ROLES,
    answer: Me,
  },
  forgotPassword: {
    summary: 'Ask for a reset link by email; the answer never shows whether the address is known',
    access: 'public',
    body: ForgotPassword,
    rate: 'reset',
    readsDeviceId: true,
  },
  resetPassword: {
    summary:
      'Set a new password with the token of a reset link, ending every session and every other link; the private calendar gets a new address',
    access: 'public',
    body: ResetPassword,
    rate: 'reset',
    readsDeviceId: true,
  },
  sendVerification: {
    summary:
      'Mail another link that verifies the email of the signed-in user, unless it is verified and can be reached',
    access: ROLES,
    rate: 'reset',
  },
  readEmailLink: {
    summary: 'What a mailed link about an email is for, and of whose account; it changes nothing',
    access: 'public',
    query: VerifyEmail,
    answer: one(EmailLink),
  },
  verifyEmail: {
    summary:
      'Verify an email, or confirm a new one, with the token of a mailed link; a repeat changes nothing',
    access: 'public',
    body: VerifyEmail,
    rate: 'reset',
    failures: [409],
  },
  refuseEmail: {
    summary:
      'Say that a mailed link is about somebody else: a new account is locked until its password is reset, a change of email ends or is undone',
    access: 'public',
    body: VerifyEmail,
    rate: 'reset',
    failures: [409],
  },
  readEmail: {
    summary: 'The email of the signed-in user, and a new one that waits for its confirmation',
    access: ROLES,
    answer: one(AccountEmail),
  },
  changeEmail: {
    summary:
      'Change the email of the signed-in user: at once where it is not verified, else once the link in the new one is opened',
    access: ROLES,
    body: ChangeEmail,
    answer: one(AccountEmail),
    rate: 'reset',
    failures: [409],
  },
  changePassword: {
    summary:
      'Set a new password; every other session ends, this one goes on, and the private calendar gets a new address',
    access: ROLES,
    body: ChangePassword,
    rate: 'login',
    readsDeviceId: true,
  },
  sessions: {
    summary: 'Where the signed-in user is signed in, the present session first',
    access: ROLES,
    answer: one(z.array(SignedInDevice)),
  },
  endSession: {
    summary: 'End one session of the signed-in user, also this one',
    access: ROLES,
    params: idParams(() => t('Session not found')),
  },
  endOtherSessions: {
    summary:
      'End every session of the signed-in user but this one; their private calendar gets a new address',
    access: ROLES,
  },
});
