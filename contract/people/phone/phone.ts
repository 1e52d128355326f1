import { phoneApi as calls } from '#contract/people/phone/constants';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { Instant, named, one, requiredText } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** A person's phone, and whether the market can text them there. */
export const Phone = named('Phone', {
  /** As the profile has it: as it was typed, or in E.164 once a code was sent. Empty for none. */
  phone: z.string(),
  /** Whether the person proved by a code that it is theirs. */
  isVerified: z.boolean(),
  /** Whether the market sends text messages. */
  isTextingOn: z.boolean(),
  /** Until when the code works that was sent last; null where there is none to enter. */
  codeEndsAt: Instant.nullable(),
});
export type Phone = z.infer<typeof Phone>;

/** In any spelling that people of the market's country dial, or with the code of another country. */
export const ChangePhone = z.object({
  phone: requiredText(40, () => t('Enter your phone number.')),
});
export type ChangePhone = z.infer<typeof ChangePhone>;

/** A code as somebody types it: with spaces, in the digits of any script. */
export const ConfirmPhone = z.object({ code: requiredText(40, () => t('Enter the code.')) });
export type ConfirmPhone = z.infer<typeof ConfirmPhone>;

export const phoneApi = endpoints(calls, {
  read: {
    summary: "The signed-in user's phone, and whether it is verified",
    access: ROLES,
    answer: one(Phone),
  },
  change: {
    summary:
      "Make this the signed-in user's phone and text a code there, unless it is verified already",
    access: ROLES,
    body: ChangePhone,
    answer: one(Phone),
    failures: [409],
  },
  confirm: {
    summary: "Verify the signed-in user's phone by the code that was texted to it",
    access: ROLES,
    body: ConfirmPhone,
    answer: one(Phone),
    notRepeatable: 'A wrong code counts, although it is refused.',
  },
});
